import { useEffect, useEffectEvent, useRef, useState, type ReactElement } from 'react'
import { useTheme } from '../ui/theme.ts'
import { readFrameMessage, type DrawRequest } from './diagram/messages.ts'
import { keepPicture } from './diagram-picture.tsx'
import { createMemory } from './memory.ts'
import styles from './diagram.module.css'

/** The file with the code that draws; the build knows its name. */
declare const DIAGRAM_CODE: string

/** How long the frame may take to open. */
const patience = 30_000
/** So that a drawing takes its space at once when it is scrolled to again. */
const heights = createMemory<number>(200)

let code: Promise<Blob> | null = null

/** The code that draws, for all frames: they cannot load it themselves. */
async function drawingCode(): Promise<Blob> {
  code ??= loadCode()
  try {
    return await code
  } catch (error) {
    code = null
    throw error
  }
}

/** A frame of an opaque origin has no name to send to; but it was made by us, and its address is ours. */
const sendCode = async (to: MessageEventSource) =>
  to.postMessage({ code: await drawingCode() }, { targetOrigin: '*' })

const notLoaded = 'Couldn’t load the diagram code.'

async function loadCode(): Promise<Blob> {
  const response = await fetch(DIAGRAM_CODE)
  if (!response.ok) throw new Error(`The server answered with status ${response.status}.`)
  return new Blob([await response.arrayBuffer()], { type: 'text/javascript' })
}

/**
 * The frame in which a diagram is drawn: a page with an opaque origin and without network, which runs only the code
 * that this page sends. It gets text and gives a drawing.
 */
export function DiagramFrame({
  text,
  onFail,
}: {
  readonly text: string
  /** Whether it is the text's fault, or only that of the moment. */
  readonly onFail: (trouble: string, isOfText: boolean) => void
}): ReactElement {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [isDrawn, setDrawn] = useState(false)
  const [height, setHeight] = useState(() => heights.recall(text))
  const { theme } = useTheme()

  const receive = useEffectEvent(({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === null || source !== frame.current?.contentWindow || origin !== 'null') return
    const message = readFrameMessage(data)
    if (message?.type === 'open') sendCode(source).catch(() => onFail(notLoaded, false))
    if (message?.type === 'ready') setReady(true)
    if (message?.type === 'drawn') {
      heights.keep(text, message.height)
      setHeight(message.height)
      setDrawn(true)
    }
    if (message?.type === 'picture') keepPicture(text, message.theme, message)
    if (message?.type === 'failed') onFail(message.trouble, !/import|fetch/i.test(message.trouble))
  })
  useEffect(() => {
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  }, [])

  const giveUp = useEffectEvent(() => onFail(notLoaded, false))
  useEffect(() => {
    const timer = isReady ? undefined : setTimeout(giveUp, patience)
    return () => clearTimeout(timer)
  }, [isReady])

  useEffect(() => {
    const request: DrawRequest = { type: 'draw', text, theme }
    if (isReady) frame.current?.contentWindow?.postMessage(request, '*')
  }, [isReady, text, theme])

  return (
    <div className={styles['place']}>
      <iframe
        ref={frame}
        className={styles['frame']}
        src="/diagram.html"
        title="Diagram"
        referrerPolicy="no-referrer"
        style={height === undefined ? undefined : { height }}
      />
      {!isDrawn && (
        <p className={styles['drawing']} role="status">
          Drawing the diagram…
        </p>
      )}
    </div>
  )
}
