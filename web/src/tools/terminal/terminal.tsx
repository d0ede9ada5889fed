import { useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactElement } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
import { withoutAnsi } from '../../safety/inert-text.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useRoom } from '../use-room.ts'
import { MoreButton } from '../views/more-button.tsx'
import { parseAnsi, type Span } from './parse-ansi.ts'
import styles from './terminal.module.css'
import type { TextStyle } from './text-style.ts'

/** A command and what it printed, in its colours. Of a long output the end is shown first: that is where errors are. */
export const Terminal = ({
  command,
  output,
  errors,
  live,
}: {
  readonly command: string | null
  readonly output: string
  readonly errors: string
  readonly live: boolean
}): ReactElement => (
  <div className={styles['terminal']}>
    {command !== null && (
      <div className={styles['command']}>
        <span className={styles['prompt']} aria-hidden>
          $
        </span>
        <CommandText text={command} />
        <CopyButton text={command} label="Copy command" />
      </div>
    )}
    {output !== '' && <Printed text={output} label="Output" live={live} />}
    {errors !== '' && (
      <div className={styles['errors']}>
        <p className={styles['channel']}>stderr</p>
        <Printed text={errors} label="Errors" live={live} />
      </div>
    )}
    {live && (
      <p className={styles['live']}>
        <span className={styles['cursor']} aria-hidden />
        {output === '' && errors === '' ? 'No output yet' : 'Running'}
      </p>
    )}
  </div>
)

function CommandText({ text }: { readonly text: string }): ReactElement {
  const { text: shown, left, showMore } = useRoom(text)
  return (
    <div className={styles['words']}>
      <code>
        <InertText text={shown} />
      </code>
      <MoreButton left={left} onMore={showMore} />
    </div>
  )
}

function Printed({
  text,
  label,
  live,
}: {
  readonly text: string
  readonly label: string
  readonly live: boolean
}): ReactElement {
  const [isFromStart, showStart] = useState(false)
  const tail = live || !isFromStart
  const { text: shown, left, showMore } = useRoom(text, { tail })
  const spans = useMemo(() => parseAnsi(shown), [shown])
  const scroller = useEndInView(shown, tail)
  const isCut = left.characters > 0
  return (
    <>
      {tail && isCut && (
        <div className={styles['earlier']}>
          <MoreButton left={left} onMore={showMore} />
          {!live && (
            <Button small onClick={() => showStart(true)}>
              Show the beginning
            </Button>
          )}
        </div>
      )}
      <div ref={scroller} className={styles['printed']} tabIndex={0}>
        <pre className={styles['output']} role="group" aria-label={label}>
          {spans.map((span, at) => (
            <Piece key={at} {...span} />
          ))}
        </pre>
        <div className={styles['copy']}>
          <CopyButton text={() => withoutAnsi(text)} label={`Copy ${label.toLowerCase()}`} />
        </div>
      </div>
      {!tail && (
        <div className={styles['earlier']}>
          <MoreButton left={left} onMore={showMore} />
          <Button small onClick={() => showStart(false)}>
            Show the end
          </Button>
        </div>
      )}
    </>
  )
}

/** Keeps the same lines in view when earlier ones are added above them, and the end at first. */
function useEndInView(shown: string, tail: boolean) {
  const scroller = useRef<HTMLDivElement>(null)
  const height = useRef(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    element.scrollTop = tail ? element.scrollTop + element.scrollHeight - height.current : 0
    height.current = tail ? element.scrollHeight : 0
  }, [shown, tail])
  return scroller
}

const Piece = ({ text, style }: Span) =>
  style === null ? (
    <InertText text={text} />
  ) : (
    <span style={cssOf(style)}>
      <InertText text={text} />
    </span>
  )

const cssOf = ({ colour, background, bold, italic, underline, struck }: TextStyle): CSSProperties => ({
  ...(colour !== undefined && { color: colour }),
  ...(background !== undefined && { backgroundColor: background }),
  ...(bold && { fontWeight: 700 }),
  ...(italic && { fontStyle: 'italic' }),
  ...((underline ?? struck) && {
    textDecoration: `${underline ? 'underline' : ''} ${struck ? 'line-through' : ''}`,
  }),
})
