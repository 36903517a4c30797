// Reads the page as assistive technology does: what can be perceived, its role, its name.
// A subset of ARIA 1.2, HTML-AAM and accname: what this interface uses.

const INPUTS = {
  button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox",
  radio: "radio", range: "slider", number: "spinbutton", search: "searchbox", hidden: null,
};
const TAGS = {
  ARTICLE: "article", ASIDE: "complementary", BUTTON: "button", DATALIST: "listbox",
  DD: "definition", DETAILS: "group", DIALOG: "dialog", DT: "term", FIELDSET: "group",
  FIGURE: "figure", FOOTER: "contentinfo", H1: "heading", H2: "heading", H3: "heading",
  H4: "heading", H5: "heading", H6: "heading", HEADER: "banner", HR: "separator", LI: "listitem",
  MAIN: "main", MATH: "math", MENU: "list", METER: "meter", NAV: "navigation", OL: "list",
  OPTGROUP: "group", OPTION: "option", OUTPUT: "status", P: "paragraph", PROGRESS: "progressbar",
  SEARCH: "search", SUMMARY: "button", TABLE: "table", TBODY: "rowgroup", TD: "cell",
  TEXTAREA: "textbox", TH: "columnheader", THEAD: "rowgroup", TR: "row", UL: "list",
};
// These are named by what they contain.
const NAMED_BY_CONTENT = new Set([
  "button", "cell", "checkbox", "columnheader", "heading", "link", "menuitem", "menuitemcheckbox",
  "menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem",
]);

const collapse = (text) => text.replace(/\s+/g, " ").trim();

function roleOf(element) {
  const explicit = element.getAttribute("role")?.trim().split(/\s+/)[0];
  if (explicit) return explicit === "image" ? "img" : explicit;
  switch (element.tagName.toUpperCase()) {
    case "A": return element.hasAttribute("href") ? "link" : null;
    case "IMG": return element.getAttribute("alt") === "" ? null : "img";
    case "INPUT": return element.type in INPUTS ? INPUTS[element.type] : "textbox";
    case "SELECT": return element.multiple || element.size > 1 ? "listbox" : "combobox";
    case "SECTION": return nameOf(element, null) ? "region" : null;
    case "FORM": return nameOf(element, null) ? "form" : null;
    default: return TAGS[element.tagName.toUpperCase()] ?? null;
  }
}

function nameOf(element, role) {
  const labelled = element.getAttribute("aria-labelledby");
  if (labelled) {
    const parts = labelled.split(/\s+/).map((id) => document.getElementById(id));
    const name = collapse(parts.map((part) => (part ? labelOrText(part) : "")).join(" "));
    if (name) return name;
  }
  const label = collapse(element.getAttribute("aria-label") ?? "");
  if (label) return label;
  const native = collapse(nativeNameOf(element));
  if (native) return native;
  if (NAMED_BY_CONTENT.has(role)) {
    const name = collapse(textOf(element));
    if (name) return name;
  }
  return collapse(element.getAttribute("title") ?? element.getAttribute("placeholder") ?? "");
}

function nativeNameOf(element) {
  if (element.labels?.length) return [...element.labels].map(textOf).join(" ");
  const titled = { FIELDSET: "legend", TABLE: "caption", FIGURE: "figcaption", SVG: "title" };
  const child = titled[element.tagName.toUpperCase()];
  if (child) return element.querySelector(`:scope > ${child}`)?.textContent ?? "";
  if (element.tagName === "IMG") return element.alt;
  if (element.tagName === "INPUT" && INPUTS[element.type] === "button") return element.value;
  return "";
}

const labelOrText = (element) => element.getAttribute("aria-label") ?? textOf(element);

function textOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
  // A field inside a label says nothing about its own name.
  if (["INPUT", "SELECT", "TEXTAREA", "STYLE", "SCRIPT"].includes(node.tagName)) return "";
  const style = getComputedStyle(node);
  if (style.display === "none" || style.visibility === "hidden") return "";
  const inner = (child) => {
    if (child.nodeType !== Node.ELEMENT_NODE) return textOf(child);
    return child.getAttribute("aria-label") ?? (child.tagName === "IMG" ? child.alt : textOf(child));
  };
  const text = [...node.childNodes].map(inner).join("");
  return style.display.startsWith("inline") ? text : ` ${text} `;
}

function isPerceivable(element) {
  const shown = element.tagName === "OPTION" ? element.closest("select") : element;
  if (!shown?.checkVisibility({ visibilityProperty: true })) return false;
  if (element.closest("[aria-hidden=true], [inert]")) return false;
  // What is behind a modal dialog is out of reach.
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
  return !modal || modal.contains(element);
}

function matching(scope, { role, name, like }) {
  return [...scope.querySelectorAll("*")].filter((element) => {
    if (roleOf(element) !== role || !isPerceivable(element)) return false;
    if (name === null) return true;
    const found = nameOf(element, role);
    return like ? found.includes(name) : found === name;
  });
}

// The elements at the end of a path: each step looks inside what the step before has found.
function find(path) {
  let scopes = [document];
  for (const step of path) {
    const found = [...new Set(scopes.flatMap((scope) => matching(scope, step)))];
    scopes = step.nth === null ? found : found.slice(step.nth).slice(0, 1);
  }
  return scopes;
}

// Every role and name that can be perceived, a line each, indented as they are nested.
function outline() {
  const lines = [];
  const visit = (element, depth) => {
    const role = isPerceivable(element) ? roleOf(element) : null;
    const shown = role !== null && role !== "paragraph" && role !== "presentation";
    if (shown) lines.push(`${"  ".repeat(depth)}${role} "${nameOf(element, role)}"`);
    for (const child of element.children) visit(child, depth + (shown ? 1 : 0));
  };
  visit(document.body, 0);
  return lines.join("\n");
}
