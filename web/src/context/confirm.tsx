import { useState, type FormEvent, type ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './confirm.module.css'

/** A confirmation before an action. */
export interface Question {
  readonly title: string
  readonly about: string
  /** The label of the button. */
  readonly yes: string
  /** Whether the user can give a reason, which is saved in the audit. */
  readonly hasReason?: boolean
  readonly onYes: (reason: string | undefined) => void
}

/** A dialog that asks for confirmation. */
export function Confirm({
  question,
  onClose,
}: {
  readonly question: Question | null
  readonly onClose: () => void
}): ReactElement {
  return (
    <Dialog open={question !== null} title={question?.title ?? ''} onClose={onClose}>
      {question && <Asked question={question} onClose={onClose} />}
    </Dialog>
  )
}

function Asked({
  question: { about, yes, hasReason = false, onYes },
  onClose,
}: {
  readonly question: Question
  readonly onClose: () => void
}): ReactElement {
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    onYes(reason.trim() === '' ? undefined : reason.trim())
  }
  return (
    <form className={styles['confirm']} onSubmit={submit}>
      <p>{about}</p>
      {hasReason && (
        <label className={styles['reason']}>
          Reason (saved in the audit)
          <input value={reason} maxLength={1000} onChange={({ target }) => setReason(target.value)} />
        </label>
      )}
      <div className={styles['buttons']}>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit">
          {yes}
        </Button>
      </div>
    </form>
  )
}
