"""Makes certificates of its own with the openssl command, as an operator would."""

import subprocess


class Certificates:
    """A folder with ca.pem, and <file>.pem with <file>.key for each host that was asked for."""

    def __init__(self, folder):
        self.folder = folder
        self._openssl("req", "-x509", *self._key("ca"), "-out", self.path("ca.pem"), "-subj", "/CN=test CA", "-days", "2",
                      "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")

    def path(self, name):
        return str(self.folder / name)

    def _key(self, name):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self.path(f"{name}.key")]

    def _openssl(self, *words):
        done = subprocess.run(["openssl", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stderr

    def make(self, name, host, *addresses):
        """Replaces what there was of that name, the key first: what a careless renewal does."""
        names = ",".join([f"DNS:{host}", *(f"IP:{address}" for address in addresses)])
        (self.folder / "extensions").write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n")
        self._openssl("req", "-new", *self._key(name), "-out", self.path("request"), "-subj", f"/CN={host}")
        self._openssl("x509", "-req", "-in", self.path("request"), "-CA", self.path("ca.pem"), "-CAkey",
                      self.path("ca.key"), "-CAcreateserial", "-days", "2", "-extfile", self.path("extensions"), "-out",
                      self.path(f"{name}.pem"))
