import { memo, type ReactElement } from 'react'
import { ChevronRight } from 'lucide-react'
import type { WorkLogEntry } from 'dragoman/client/work-log'
import { InertText } from '../safety/inert-text.tsx'
import { FamilyIcon } from '../tools/family-icon.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { duration } from '../ui/moments.ts'
import { keyOf } from './arrange.ts'
import { WorkDetails, type WorkRowProps } from './work-details.tsx'
import styles from './work-row.module.css'

const outcomes: Readonly<Record<WorkLogEntry['outcome'], readonly [words: string, tone: Tone] | null>> = {
  success: null,
  pending: ['Running', 'live'],
  failure: ['Failed', 'bad'],
  partial: ['Partly done', 'warn'],
}
const approvals: Readonly<
  Record<NonNullable<WorkLogEntry['approval']>, readonly [words: string, tone: Tone]>
> = {
  asked: ['Waiting for approval', 'warn'],
  allowed: ['Allowed', 'good'],
  denied: ['Denied', 'bad'],
}

/** One call: what was done, its outcome and duration; it opens to its details. */
export const WorkRow = memo(function WorkRow(props: WorkRowProps): ReactElement {
  const { entry, depth, isOpen, onToggle } = props
  const { family, sentence, outcome, approval, start } = entry
  // The denial already explains the failure.
  const went = approval === 'denied' ? null : outcomes[outcome]
  const asked = approval === null ? null : approvals[approval]
  return (
    <div className={styles['row']} data-outcome={outcome}>
      <button
        type="button"
        className={styles['line']}
        style={{ paddingInlineStart: `calc(${depth + 1} * var(--space-3))` }}
        aria-expanded={isOpen}
        onClick={() => onToggle(keyOf(entry))}
      >
        <time className={styles['time']}>{start === null ? '' : timeOfDay(start.at)}</time>
        <span className={classNames(styles['icon'], styles[outcome])}>
          <FamilyIcon family={family} />
        </span>
        <span className={styles['sentence']}>
          <WorkSentence text={sentence} />
          {went && <Badge tone={went[1]}>{went[0]}</Badge>}
          {asked && <Badge tone={asked[1]}>{asked[0]}</Badge>}
        </span>
        <span className={styles['duration']}>{entry.duration ? duration(entry.duration) : ''}</span>
        <ChevronRight className={styles['chevron']} size={14} aria-hidden />
      </button>
      {isOpen && <WorkDetails {...props} />}
    </div>
  )
})

const timeOfDay = (at: number) =>
  new Date(at).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  })

/** A work log sentence, with the command between the first and the last quote highlighted. */
function WorkSentence({ text }: { readonly text: string }): ReactElement {
  const [first, last] = [text.indexOf('`'), text.lastIndexOf('`')]
  if (first === last) return <InertText text={text} />
  return (
    <span>
      <InertText text={text.slice(0, first)} />
      <code>
        <InertText text={text.slice(first + 1, last)} />
      </code>
      <InertText text={text.slice(last + 1)} />
    </span>
  )
}
