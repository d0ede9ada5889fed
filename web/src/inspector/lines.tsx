import type { ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { LineDetail } from './line-detail.tsx'
import { LineList } from './line-list.tsx'
import { notKnown } from './line-reader.ts'
import { LineTools } from './line-tools.tsx'
import styles from './lines.module.css'
import type { Inspection } from './use-inspection.ts'

/** The lines of a target: a list, and one of them in full. */
export function Lines({ inspection }: { readonly inspection: Inspection }): ReactElement {
  const { session, reading, reader, pinned, form } = inspection
  const { problem } = reading
  if (reading.phase === 'failed')
    return problem === null || problem === notKnown ? (
      <Empty title="Nothing to show">{problem}</Empty>
    ) : (
      <NotRead what="native lines" problem={problem} onAgain={() => void reader.open()} />
    )
  if (reading.lines.length === 0) return <Loading what="native lines" />
  const looked = lookedAt(inspection)
  return (
    <div className={styles['lines']}>
      <LineTools inspection={inspection} seq={looked?.line.seq ?? null} />
      {reading.problem !== null && <p className={styles['problem']}>{reading.problem}</p>}
      <Stretch inspection={inspection} />
      {looked && (
        <LineDetail
          session={session}
          line={looked.line}
          chunk={looked.chunk}
          isPinned={looked.line.seq === pinned?.seq}
          form={form}
        />
      )}
    </div>
  )
}

/** The line under the pointer, or else the pinned one. */
function lookedAt({ reading: { lines }, peeked, pinned }: Inspection) {
  for (const pick of [peeked, pinned]) {
    const line = pick && lines.find(({ seq }) => seq === pick.seq)
    if (line) return { line, chunk: pick.chunk }
  }
  return null
}

/** The list, with buttons to load lines before and after it. */
function Stretch({ inspection }: { readonly inspection: Inspection }): ReactElement {
  const { reading, reader, isWhole, shown, peeked, peek, pinned, pin } = inspection
  const { lines, isOver, head, grew } = reading
  const [first, last] = [lines[0]?.seq ?? 1, lines.at(-1)?.seq ?? head]
  const [hasEarlier, hasLater] = [isWhole && first > 1, last < head]
  return (
    <>
      {hasEarlier && (
        <Button small kind="quiet" className={styles['earlier']} onClick={() => void reader.earlier()}>
          {`Entries before ${first}`}
        </Button>
      )}
      <LineList
        key={isWhole ? 'all' : 'mine'}
        lines={shown}
        grew={grew}
        peeked={peeked}
        pinned={pinned}
        onPeek={peek}
        onPin={pin}
        onStart={() => hasEarlier && void reader.earlier()}
        onEnd={() => isWhole && hasLater && void reader.later()}
      />
      {!isWhole && !isOver && hasLater && (
        <p className={styles['more']}>
          {`Searched up to entry ${last}.`}
          <Button small onClick={() => void reader.later()}>
            Search further
          </Button>
        </p>
      )}
    </>
  )
}
