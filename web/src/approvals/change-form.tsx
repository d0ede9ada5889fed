import { useId, type ReactElement } from 'react'
import type { ListedApproval } from 'dragoman/client'
import { useDraftText } from '../drafts/use-draft-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import styles from './approval-dock.module.css'
import { commandIn } from './asked.ts'
import { readInput, withCommand } from './changed-input.ts'
import { RuleLine } from './rule-line.tsx'
import { ruleToBe } from './rule-words.ts'
import type { Answer } from './use-answering.ts'

/** Approval with a changed input: a command as text, anything else as JSON. */
export function ChangeForm({
  approval,
  draft,
  takesFocus,
  disabled,
  mayAlways,
  onAnswer,
  onBack,
}: {
  readonly approval: ListedApproval
  /** The storage key of the draft. */
  readonly draft: string
  readonly takesFocus: boolean
  readonly disabled: boolean
  readonly mayAlways: boolean
  readonly onAnswer: (answer: Answer) => void
  readonly onBack: () => void
}): ReactElement {
  const id = useId()
  const { text, setText, input, problem, trouble, isCommand } = useChanged(approval.input, draft)
  const rule = mayAlways && problem === null ? ruleToBe(approval, input) : null
  const isStuck = disabled || problem !== null
  const give = (always: boolean) =>
    problem === null && onAnswer({ approved: true, input, ...(always && { always: true }) })
  return (
    <form
      className={styles['form']}
      onSubmit={event => {
        event.preventDefault()
        if (!isStuck) give(false)
      }}
      onKeyDown={({ key }) => key === 'Escape' && onBack()}
    >
      <label className={styles['label']}>
        {isCommand ? 'Command to run' : 'Tool input (JSON)'}
        <textarea
          className={styles['area']}
          rows={Math.min(12, text.split('\n').length)}
          value={text}
          autoFocus={takesFocus}
          spellCheck={false}
          aria-invalid={problem !== null}
          aria-describedby={id}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <p id={id} className={styles['problem']} role="status">
        <InertText text={problem ?? trouble ?? ''} />
      </p>
      <div className={styles['buttons']}>
        <Button type="submit" kind="primary" disabled={isStuck}>
          Allow
        </Button>
        {rule !== null && (
          <Button disabled={isStuck} onClick={() => give(true)}>
            Always allow
          </Button>
        )}
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
      {rule !== null && <RuleLine rule={rule} />}
    </form>
  )
}

/** The edited input: a command as typed, anything else as JSON. */
function useChanged(before: unknown, draft: string) {
  const command = commandIn(before)
  const first = command ?? JSON.stringify(before, null, 2) ?? ''
  const { words: text, setWords: setText, trouble } = useDraftText(draft, first)
  const changed = command === null ? readInput(before, text) : withCommand(before, text)
  return { text, setText, trouble, ...changed, isCommand: command !== null }
}
