<?php

declare(strict_types=1);

namespace App\Controller;

use App\Entity\Note;
use App\Form\NoteType;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\File\UploadedFile;
use Symfony\Component\HttpFoundation\{Request, Response};
use Symfony\Component\Routing\Attribute\Route;
use Symfony\Component\Security\Http\Authentication\AuthenticationUtils;

final class NoteController extends AbstractController
{
    #[Route('/login', name: 'login')]
    public function login(AuthenticationUtils $utils): Response
    {
        return $this->render('login.html.twig', ['error' => $utils->getLastAuthenticationError(), 'name' => $utils->getLastUsername()]);
    }

    #[Route('/logout', name: 'logout')]
    public function logout(): never
    {
        throw new \LogicException('The firewall answers this');
    }

    #[Route('/notes', name: 'notes')]
    public function notes(Request $request, EntityManagerInterface $entities): Response
    {
        $note = new Note($this->getUser()?->getUserIdentifier() ?? 'nobody');
        $form = $this->createForm(NoteType::class, $note);
        $form->handleRequest($request);
        if ($form->isSubmitted() && $form->isValid()) {
            $upload = $form->get('upload')->getData();
            if ($upload instanceof UploadedFile) {
                $note->file = $upload->getClientOriginalName() . ' of ' . $upload->getSize();
                $upload->move($this->getParameter('kernel.project_dir') . '/var/uploads', $upload->getClientOriginalName());
            }
            $entities->persist($note);
            $entities->flush();
            $this->addFlash('notice', 'The note is kept.');
            return $this->redirectToRoute('notes');
        }
        return $this->render('notes.html.twig', ['form' => $form, 'notes' => $entities->getRepository(Note::class)->findBy([], ['id' => 'ASC'])]);
    }
}
