"""axe-core, which looks for what keeps people from using a page (WCAG 2 and good practice)."""

import pytest

from harness import ROOT

AXE = ROOT / "build/npm/node_modules/axe-core/axe.min.js"


def require_axe():
    if not AXE.exists():
        pytest.skip("axe-core is not installed: tools/install-axe does it where there is npm")


def violations(browser):
    """A sentence for each of the page as it is now. That too few rules could be tried fails, too."""
    found = browser.driver.execute_async_script(AXE.read_text() + """
        const done = arguments[arguments.length - 1];
        axe.run().then(found => done({
            tried: found.passes.length,
            violations: found.violations.map(one => `${one.id} (${one.help}): ${one.nodes.map(node => node.html).join(' ')}`),
        }), error => done({ tried: 0, violations: [String(error)] }));
    """)
    assert found["tried"] > 10, found
    return found["violations"]
