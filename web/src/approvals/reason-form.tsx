import type { ReactElement } from 'react'
import { useDraftText } from '../drafts/use-draft-text.ts'
import { Button } from '../ui/button.tsx'
import styles from './approval-dock.module.css'
import { reasonIsLost, type AskingAgent } from './changed-input.ts'
import type { Answer } from './use-answering.ts'

/** Denies with a reason, which the agent can act on. */
export function ReasonForm({
  agent,
  draft,
  takesFocus,
  disabled,
  onAnswer,
  onBack,
}: {
  readonly agent: AskingAgent | null
  /** The storage key of the draft. */
  readonly draft: string
  readonly takesFocus: boolean
  readonly disabled: boolean
  readonly onAnswer: (answer: Answer) => void
  readonly onBack: () => void
}): ReactElement {
  const { words: reason, setWords: setReason, trouble } = useDraftText(draft, '')
  const words = reason.trim()
  const isLost = agent?.denialReasons === false
  return (
    <form
      className={styles['form']}
      onSubmit={event => {
        event.preventDefault()
        if (!disabled) onAnswer({ approved: false, ...(words !== '' && { reason: words }) })
      }}
      onKeyDown={({ key }) => key === 'Escape' && onBack()}
    >
      <label className={styles['label']}>
        {isLost ? 'Reason, for your records only' : 'Reason, sent to the agent'}
        <input
          className={styles['input']}
          value={reason}
          maxLength={10_000}
          autoFocus={takesFocus}
          placeholder={isLost ? 'Why you deny this' : 'What to do instead'}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      {isLost && <p className={styles['hint']}>{reasonIsLost(agent.title)}</p>}
      <p className={styles['problem']} role="status">
        {trouble}
      </p>
      <div className={styles['buttons']}>
        <Button type="submit" kind="danger" disabled={disabled}>
          Deny
        </Button>
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  )
}
