/** Elements that load or run something. */
const loading = new Set(
  'script iframe frame object embed link meta base audio video source track form portal'.split(' '),
)
/** Attributes with an address to load or to open. */
const addresses = new Set(
  'src srcset href xlink:href poster data action formaction background ping srcdoc'.split(' '),
)
const harmlessAddress = /^(?:#|data:image\/(?:png|gif|jpeg|webp);)/i
const nothing = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

/**
 * Keeps scripts, handlers and external addresses in a diagram's text out of this page, whichever way the drawing
 * library inserts them. The page's policy would stop them too, but should not be the only barrier.
 */
export function keepOut(): void {
  const inert = document.implementation.createHTMLDocument('')
  const { prototype } = Element
  guardMarkup(prototype, inert)
  guardParser()
  guardAttributes(prototype)
  guardStyles()
}

function guardMarkup(prototype: Element, inert: Document): void {
  const inner = Object.getOwnPropertyDescriptor(prototype, 'innerHTML')
  if (inner?.set === undefined) return
  const set = (element: Element, markup: string) => inner.set?.call(element, withoutHandlers(markup))
  const parsed = (context: Element, markup: string): readonly Node[] => {
    const twin = inert.importNode(context, false)
    set(twin, markup)
    for (const element of twin.querySelectorAll('*')) clean(element)
    return [...twin.childNodes]
  }
  Object.defineProperty(prototype, 'innerHTML', {
    ...inner,
    set(this: Element, markup: string) {
      if (this.ownerDocument !== document) set(this, markup)
      else if (this.localName === 'style') this.textContent = markup
      else this.replaceChildren(...parsed(this, markup))
    },
  })
  prototype.insertAdjacentHTML = function insertAdjacentHTML(this: Element, where, markup) {
    const place = where.toLowerCase()
    const context = place === 'afterbegin' || place === 'beforeend' ? this : (this.parentElement ?? this)
    const nodes = parsed(context, markup)
    if (place === 'beforebegin') this.before(...nodes)
    else if (place === 'afterbegin') this.prepend(...nodes)
    else if (place === 'beforeend') this.append(...nodes)
    else this.after(...nodes)
  }
}

/** Browsers also report the handlers of documents that are never shown: DOMPurify parses into such a document. */
function guardParser(): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its parser below
  const { parseFromString } = DOMParser.prototype
  DOMParser.prototype.parseFromString = function guarded(this: DOMParser, markup: string, type) {
    return parseFromString.call(this, withoutHandlers(markup), type)
  }
}

/**
 * Breaks the names of handlers with an invisible character, so that text that only looks like one stays
 * readable. Markup may be a trusted-types object.
 */
export const withoutHandlers = (markup: { toString(): string } | null): string =>
  (markup?.toString() ?? '').replaceAll(
    /(?<=[\s/"'])o(?=n[a-z]{1,40}\s{0,99}=)/gi,
    letter => `${letter}\u200C`,
  )

function clean(element: Element): void {
  if (loading.has(element.localName.toLowerCase())) return element.remove()
  if (element.localName === 'style') element.textContent = withoutAddresses(element.textContent)
  // The list of attributes itself gets shorter meanwhile.
  for (const name of element.getAttributeNames()) {
    const value = element.getAttribute(name) ?? ''
    const kept = keptValue(name, value)
    if (kept === null) element.removeAttribute(name)
    else if (kept !== value) element.setAttribute(name, kept)
  }
}

/** The allowed value of an attribute; null when it must be removed. */
export function keptValue(name: string, value: string): string | null {
  const lower = name.toLowerCase()
  if (/^o\u200C?n/.test(lower)) return null
  if (addresses.has(lower)) return harmlessAddress.test(value.trim()) ? value : null
  return withoutAddresses(value)
}

/** A style without what loads something: only parts of the drawing itself may be named. */
export function withoutAddresses(style: string): string {
  if (!/url|import|image|src|\\/i.test(style)) return style
  // An escape may hide any of these keywords.
  const plain = style.replaceAll(/\\[\da-f]{1,6}\s?/gi, '')
  return plain
    .replaceAll(/@import[^;]{0,2000};?/gi, '')
    .replaceAll(/\b(?:url|src|image|image-set|-webkit-image-set)\((?!\s{0,9}["']?#)/gi, 'none(')
}

function guardAttributes(prototype: Element): void {
  // oxlint-disable-next-line typescript/unbound-method -- each is called with its element below
  const { setAttribute, setAttributeNS } = prototype
  prototype.setAttribute = function guarded(this: Element, name, value) {
    const kept = keptValue(name, value)
    if (kept !== null) setAttribute.call(this, name, kept)
  }
  prototype.setAttributeNS = function guardedNs(this: Element, space, name, value) {
    const kept = keptValue(name, value)
    if (kept !== null) setAttributeNS.call(this, space, name, kept)
  }
  const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')
  Object.defineProperty(HTMLImageElement.prototype, 'src', {
    ...source,
    set(this: HTMLImageElement, value: string) {
      source?.set?.call(this, harmlessAddress.test(value) ? value : nothing)
    },
  })
}

function guardStyles(): void {
  const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
  Object.defineProperty(Node.prototype, 'textContent', {
    ...text,
    set(this: Node, value: string | null) {
      const isStyle = this instanceof Element && this.localName === 'style'
      text?.set?.call(this, isStyle ? withoutAddresses(value ?? '') : value)
    },
  })
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its style below
  const { setProperty } = CSSStyleDeclaration.prototype
  CSSStyleDeclaration.prototype.setProperty = function guarded(
    this: CSSStyleDeclaration,
    name,
    value,
    priority,
  ) {
    setProperty.call(this, name, value === null ? null : withoutAddresses(value), priority)
  }
}
