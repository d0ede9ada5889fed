import mermaid, { type MermaidConfig } from 'mermaid'
import { colourOf, type Theme } from '../../ui/theme.ts'
import styles from './diagram.css?inline'
import { keepOut } from './keep-out.ts'
import { readDrawRequest, type DrawRequest, type FrameMessage } from './messages.ts'

// The page that draws diagrams. It has an opaque origin and no network, and runs no script but ours: it draws what
// the page above sends.
const look = document.createElement('style')
look.textContent = styles
document.head.append(look)
keepOut()
const found = document.querySelector<HTMLElement>('#place')
if (found === null) throw new Error('The page has no element for the diagram.')
const place = found
const above = window.parent
let drawings = 0

const send = (message: FrameMessage) => above.postMessage(message, location.origin)

/** What the text of a diagram must not change. */
const ours: MermaidConfig = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  fontFamily: 'system-ui, sans-serif',
  maxTextSize: 50_000,
  maxEdges: 500,
  deterministicIds: true,
  theme: 'base',
}
const secure = [...Object.keys(ours), 'secure', 'themeVariables', 'themeCSS', 'dompurifyConfig', 'look']
/** Text below this size cannot be read: then the diagram scrolls sideways. */
const smallest = 0.7

async function draw({ text, theme }: DrawRequest): Promise<void> {
  document.documentElement.dataset['theme'] = theme
  mermaid.initialize({ ...ours, themeVariables: diagramColours(theme), secure })
  const { svg } = await mermaid.render(`drawing-${++drawings}`, text, place)
  const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  for (const link of drawing.querySelectorAll('a'))
    for (const name of link.getAttributeNames()) if (/href|target/i.test(name)) link.removeAttribute(name)
  place.replaceChildren(document.adoptNode(drawing))
  if (drawing instanceof SVGSVGElement)
    drawing.style.minWidth = `${Math.min(2_000, drawing.viewBox.baseVal.width * smallest)}px`
  tellHeight()
  if (drawing instanceof SVGSVGElement) tellPicture(drawing, theme)
}

/** Cached, so that it is not drawn again when the user returns to it. */
function tellPicture(drawing: SVGSVGElement, theme: DrawRequest['theme']): void {
  const { width, height } = drawing.viewBox.baseVal
  const copy = drawing.cloneNode(true) as SVGSVGElement
  copy.removeAttribute('style')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const words = Array.from(drawing.querySelectorAll('text'), each => each.textContent.trim()).filter(Boolean)
  send({
    type: 'picture',
    theme,
    svg: new XMLSerializer().serializeToString(copy),
    width,
    height,
    words: words.join(', '),
  })
}

const tellHeight = () =>
  place.childElementCount > 0 && send({ type: 'drawn', height: place.getBoundingClientRect().height })

const troubleOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  if (source !== above || origin !== location.origin) return
  const request = readDrawRequest(data)
  if (request !== null)
    draw(request).catch((error: unknown) => send({ type: 'failed', trouble: troubleOf(error) }))
})
new ResizeObserver(tellHeight).observe(place)
send({ type: 'ready' })

/** The colours of the page for the parts of a diagram. */
const diagramColours = (theme: Theme): Readonly<Record<string, string | boolean>> => ({
  darkMode: theme === 'dark',
  background: colourOf('--paper-raised'),
  primaryColor: colourOf('--accent-wash'),
  primaryTextColor: colourOf('--ink'),
  primaryBorderColor: colourOf('--accent'),
  secondaryColor: colourOf('--good-wash'),
  secondaryTextColor: colourOf('--ink'),
  secondaryBorderColor: colourOf('--good'),
  tertiaryColor: colourOf('--paper-sunken'),
  tertiaryTextColor: colourOf('--ink'),
  tertiaryBorderColor: colourOf('--line-strong'),
  lineColor: colourOf('--ink-soft'),
  textColor: colourOf('--ink'),
  edgeLabelBackground: colourOf('--paper-raised'),
  noteBkgColor: colourOf('--warn-wash'),
  noteTextColor: colourOf('--ink'),
  noteBorderColor: colourOf('--warn'),
  dropShadow: 'none',
  useGradient: false,
  fontSize: '14px',
})
