"""Checks of accessibility: names, contrast, sizes."""

# The contrast of every text with its background: [ratio, text] of those below the required ratio.
CONTRAST = """
const least = arguments[0];
const parse = (text) => {
  const parts = text.match(/[\\d.]+/g).map(Number);
  return { r: parts[0], g: parts[1], b: parts[2], a: parts[3] ?? 1 };
};
const over = (top, under) => ({
  r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a),
  b: top.b * top.a + under.b * (1 - top.a), a: 1 });
const light = ({ r, g, b }) => {
  const part = (value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const behind = (node) => {
  const layers = [];
  for (let at = node; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    layers.push({ colour: parse(style.backgroundColor), opacity: Number(style.opacity) });
  }
  return layers;
};
const poor = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim();
  const node = walker.currentNode.parentElement;
  if (text === "" || !node.checkVisibility()) continue;
  if (node.closest(".unseen, .void_mark, noscript, svg, button:disabled")) continue;
  let ground = { r: 255, g: 255, b: 255, a: 1 };
  const layers = behind(node);
  for (const { colour } of layers.toReversed()) ground = over(colour, ground);
  const opacity = layers.reduce((all, one) => all * one.opacity, 1);
  const colour = parse(getComputedStyle(node).color);
  const ink = over({ ...colour, a: colour.a * opacity }, ground);
  const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  if (ratio < least) poor.push([Math.round(ratio * 100) / 100, text.slice(0, 40)]);
}
return poor;
"""

# Controls that are too small for a finger.
SMALL = """
const small = [];
for (const node of document.querySelectorAll("button, a[href], input, select, textarea, summary")) {
  if (!node.checkVisibility()) continue;
  const box = (node.closest("label.choice") ?? node).getBoundingClientRect();
  if (node.closest("p") && node.tagName === "A" && !node.classList.contains("print")) continue;
  if (box.height < 43.5) small.push([box.height, node.outerHTML.slice(0, 80)]);
}
return small;
"""

NAMED = {"button", "link", "textbox", "radio", "checkbox", "combobox", "image", "dialog", "group",
         "DisclosureTriangle", "heading"}


class PageChecks:
    """For a PageTest: checks the page as it is now."""

    def nodes(self):
        self.browser.cdp("Accessibility.enable")
        tree = self.browser.cdp("Accessibility.getFullAXTree")["nodes"]
        for node in tree:
            if not node.get("ignored"):
                yield (node.get("role", {}).get("value", ""), node.get("name", {}).get("value", ""))

    def names(self, role):
        return [name for found, name in self.nodes() if found == role]

    def assert_accessible(self, least=4.5):
        nameless = [role for role, name in self.nodes() if role in NAMED and not name.strip()]
        self.assertEqual([], nameless, "controls without a name")
        self.assertEqual([], self.browser.run(CONTRAST, least), "too little contrast")
        self.assertEqual([], self.browser.run(SMALL), "too small for a finger")
        twice = self.browser.run("""
            const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
            return ids.filter((id, at) => ids.indexOf(id) !== at);""")
        self.assertEqual([], twice, "an id that is there twice")
        self.assertEqual("en", self.browser.run("return document.documentElement.lang"))
        is_wide = "return document.documentElement.scrollWidth > innerWidth + 1"
        self.assertFalse(self.browser.run(is_wide), "wider than the screen")
