/**
 * What agent output must never produce: elements that run or load, attributes that run, external addresses. It
 * imports nothing, so that a browser can run it too.
 */
export function dangersIn(root: ParentNode): readonly string[] {
  const elements =
    'script, object, embed, applet, base, link, style, meta, form, portal, template, video, audio, source, frame, use, foreignObject, animate, set'
  const found = [...root.querySelectorAll(elements)].map(element => element.outerHTML)
  for (const element of root.querySelectorAll('*'))
    for (const { name, value } of element.attributes) {
      // A diagram that was drawn before is kept as an image, in which nothing runs or loads.
      const kinds = element.matches('[aria-label=Drawing] > img')
        ? /^data:image\/svg\+xml;charset=utf-8,/
        : /^(?:data:image\/(?:png|jpeg|gif|webp|avif);base64,|blob:)/
      const isPicture = kinds.test(value)
      const isOurs = element.localName === 'iframe' ? value === '/diagram.html' : /^\/(?!\/)/.test(value)
      const isAsked =
        name === 'href' && element.closest('dialog') !== null && /^(?:https?|mailto):/.test(value)
      const leads =
        /^(?:href|src|srcset|action|formaction|data|poster|background|ping|xlink:href|srcdoc)$/.test(name)
      const runs =
        name.startsWith('on') || name === 'srcdoc' || (name === 'style' && /url\(|expression/i.test(value))
      if (runs || (leads && !isPicture && !isOurs && !isAsked))
        found.push(`${name}="${value}" on ${element.localName}`)
    }
  return found
}
