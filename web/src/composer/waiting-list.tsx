import { useId, useRef, type ReactElement } from 'react'
import { Paperclip, Pencil, X } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { focusWriting } from './focus-message.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { useCalm } from '../ui/use-calm.ts'
import { useRowFocus } from '../ui/use-row-focus.ts'
import { textIn } from './attachment.ts'
import { editNote, whyHeld, type WaitingRow } from './waiting.ts'
import styles from './waiting-list.module.css'

/** Actions on queued prompts. */
export interface WaitingActions {
  readonly onEdit: (row: WaitingRow) => void
  readonly onRemove: (row: WaitingRow) => void
  readonly onContinue: () => void
}

/** Queued prompts, above the composer. */
export function WaitingList({
  rows,
  ...actions
}: { readonly rows: readonly WaitingRow[] } & WaitingActions): ReactElement | null {
  const note = useId()
  const list = useRef<HTMLElement>(null)
  const ids = rows.map(({ id }) => id)
  const focus = useRowFocus(list, ids, { pick: sameButton, otherwise: focusWriting })
  if (rows.length === 0) return null
  const isHeld = rows.some(({ held }) => held)
  const movesOnEdit = rows.filter(({ held }) => !held).length > 1
  return (
    <section ref={list} className={styles['queue']} aria-label="Queued prompts" {...focus}>
      {isHeld && (
        <p className={styles['held']}>
          <span className={styles['why']}>{whyHeld}</span>
          <Button small onClick={actions.onContinue}>
            Continue
          </Button>
        </p>
      )}
      <ol className={styles['rows']}>
        {rows.map(row => (
          <Row key={row.id} row={row} note={movesOnEdit && !row.held ? note : undefined} {...actions} />
        ))}
      </ol>
      {movesOnEdit && (
        <p id={note} className={styles['note']}>
          {editNote}
        </p>
      )}
    </section>
  )
}

/** The button of a row that does what another one did. */
const sameButton = (row: HTMLElement, { ariaLabel }: HTMLElement) =>
  [...row.querySelectorAll('button')].find(button => button.ariaLabel === ariaLabel) ?? null

function Row({
  row,
  note,
  onEdit,
  onRemove,
}: { readonly row: WaitingRow; readonly note: string | undefined } & Pick<
  WaitingActions,
  'onEdit' | 'onRemove'
>): ReactElement {
  const { parts, held } = row
  const text = useId()
  const isCalm = useCalm(row.id)
  const files = parts.filter(({ type }) => type === 'file').length
  return (
    <li className={styles['row']} data-listed={row.id}>
      <Badge tone={held ? 'warn' : 'neutral'}>{held ? 'On hold' : 'Queued'}</Badge>
      <span id={text} className={styles['text']}>
        <InertText text={textIn(parts)} />
        {files > 0 && (
          <span className={styles['files']}>
            <Paperclip size={14} aria-hidden /> {files === 1 ? '1 file' : `${files} files`}
          </span>
        )}
      </span>
      <IconButton
        label="Edit this prompt"
        aria-describedby={note === undefined ? text : `${text} ${note}`}
        disabled={!isCalm}
        onClick={() => onEdit(row)}
      >
        <Pencil size={16} aria-hidden />
      </IconButton>
      <IconButton
        label="Remove this prompt"
        aria-describedby={text}
        disabled={!isCalm}
        onClick={() => onRemove(row)}
      >
        <X size={16} aria-hidden />
      </IconButton>
    </li>
  )
}
