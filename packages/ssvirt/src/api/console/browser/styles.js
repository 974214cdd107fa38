/**
 * The page's content security policy allows no inline styles, and xterm.js writes some, as <style> elements and as attributes. Both are turned
 * into what the policy allows: style sheets and declarations that a script creates.
 */
export function adoptStyles() {
  const create = document.createElement.bind(document);
  // A placeholder element replaces the <style>: even an empty <style> would violate the policy.
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
