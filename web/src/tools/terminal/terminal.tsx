import { useMemo, type CSSProperties, type ReactElement } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
import { withoutAnsi } from '../../safety/inert-text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useRoom } from '../use-room.ts'
import { MoreButton } from '../views/more-button.tsx'
import { parseAnsi, type Span } from './parse-ansi.ts'
import styles from './terminal.module.css'
import type { TextStyle } from './text-style.ts'

/** A command and what it printed, in its colours. While it runs, the end is shown; after that, the beginning. */
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
        <CopyButton text={command} label="Copy the command" />
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
        {output === '' && errors === '' ? 'Nothing printed yet' : 'Running'}
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
  const { text: shown, left, showMore } = useRoom(text, { tail: live })
  const spans = useMemo(() => parseAnsi(shown), [shown])
  return (
    <div className={styles['printed']}>
      {live && <MoreButton left={left} onMore={showMore} />}
      <pre className={styles['output']} tabIndex={0} role="group" aria-label={label}>
        {spans.map((span, at) => (
          <Piece key={at} {...span} />
        ))}
      </pre>
      <div>
        <CopyButton text={() => withoutAnsi(text)} label={`Copy: ${label}`} />
      </div>
      {!live && <MoreButton left={left} onMore={showMore} />}
    </div>
  )
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
