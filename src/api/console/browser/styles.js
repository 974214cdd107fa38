/**
 * The page's policy allows no style that stands in the document itself, and xterm.js writes some: as <style> elements and as attributes. Both are given to the
 * browser here in the way that the policy allows, as style sheets and declarations that a script makes.
 */
export function adoptStyles() {
  const create = document.createElement.bind(document);
  document.createElement = (name, options) => {
    const element = create(name, options);
    return name.toLowerCase() === 'style' ? adopted(element) : element;
  };
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function setAttribute(name, value) {
    if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value;
    else set.call(this, name, value);
  };
}

function adopted(element) {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  Object.defineProperty(element, 'textContent', {
    get: () => '',
    set(text) {
      sheet.replaceSync(text);
    },
  });
  return element;
}
