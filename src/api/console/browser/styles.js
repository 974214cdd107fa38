/**
 * The page's policy allows no style that stands in the document itself, and xterm.js writes some: as <style> elements and as attributes. Both are given to the
 * browser here in the way that the policy allows, as style sheets and declarations that a script makes.
 */
export function adoptStyles() {
  const create = document.createElement.bind(document);
  // In the place of the <style> stands an element that shows nothing: even an empty one would be against the policy.
  document.createElement = (name, options) =>
    name.toLowerCase() === 'style' ? adopted(create('template')) : create(name, options);
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
