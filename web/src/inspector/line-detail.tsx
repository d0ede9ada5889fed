import { memo, useEffect, useMemo, useRef, type ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { counted } from '../ui/amounts.ts'
import { classNames } from '../ui/class-names.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import type { Form } from './use-inspection.ts'
import { JsonWords } from './json-words.tsx'
import { clock, directionWords, type Line } from './line.ts'
import styles from './line-detail.module.css'
import { RawWords } from './raw-words.tsx'

/** The props of the pane of one entry. */
export interface LineDetailProps {
  readonly session: string
  readonly line: Line
  /** The selected chunk. */
  readonly chunk: number | null
  readonly isPinned: boolean
  readonly form: Form
}

/** One entry in full: the native line next to its chunks. */
export const LineDetail = memo(function LineDetail(props: LineDetailProps): ReactElement {
  const { session, line, chunk, isPinned, form } = props
  const { seq, at, type, direction, chunks } = line
  return (
    <section className={styles['detail']} aria-label={`Entry ${seq}`}>
      <header className={styles['head']}>
        <b>{`Entry ${seq}`}</b>
        <span>{`${isPinned ? 'pinned' : 'preview'} · ${clock(at)} · ${type}`}</span>
        {direction !== 'none' && <span>{directionWords[direction]}</span>}
      </header>
      <div className={styles['columns']}>
        <div className={styles['column']} tabIndex={0} role="group" aria-label="Native line">
          <RawWords key={seq} session={session} line={line} form={form} />
        </div>
        <div className={styles['column']} tabIndex={0} role="group" aria-label="Chunks">
          <h2>{counted(chunks.length, 'chunk')}</h2>
          {chunks.length === 0 && <p className={styles['none']}>This entry has no chunks.</p>}
          {chunks.slice(0, mostChunks).map((item, index) => (
            <ChunkInFull key={`${seq} ${index}`} item={item} isPicked={index === chunk} form={form} />
          ))}
          {chunks.length > mostChunks && (
            <p
              className={styles['none']}
            >{`${counted(chunks.length - mostChunks, 'more chunk')} not shown.`}</p>
          )}
        </div>
      </div>
    </section>
  )
})

const mostChunks = 50

function ChunkInFull({
  item: { thread, chunk },
  isPicked,
  form,
}: {
  readonly item: Line['chunks'][number]
  readonly isPicked: boolean
  readonly form: Form
}): ReactElement {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isPicked) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isPicked])
  const text = useMemo(() => JSON.stringify(chunk), [chunk])
  return (
    <div ref={element} className={classNames(styles['chunk'], isPicked && styles['picked'])}>
      <p className={styles['type']}>
        <b>{chunk.type}</b>
        <CopyButton text={text} label="Copy chunk" />
      </p>
      {thread !== null && (
        <p className={styles['none']}>
          Thread <InertText text={thread} />
        </p>
      )}
      <JsonWords text={text} form={form} />
    </div>
  )
}
