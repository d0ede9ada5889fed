import { useEffect, useState, type ReactElement } from 'react'
import type { ListedApproval } from 'dragoman/client'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { draftForm, draftOf, forgetDraft } from './answer-drafts.ts'
import styles from './approval-dock.module.css'
import { ChangeForm } from './change-form.tsx'
import { cannotChange, type AskingAgent } from './changed-input.ts'
import { ReasonForm } from './reason-form.tsx'
import { RuleLine } from './rule-line.tsx'
import { ruleToBe } from './rule-words.ts'
import type { Answer } from './use-answering.ts'

/** The props of a decision. */
export interface DecisionProps {
  readonly session: string
  readonly approval: ListedApproval
  /** The agent's name, whether it can run an edited input, and whether it reads the reason of a denial; null while not known. */
  readonly agent: AskingAgent | null
  readonly disabled: boolean
  readonly mayAlways: boolean
  /** Whether the edit is still being compared, so that the user can't see what they would allow. */
  readonly isComparing: boolean
  readonly onAnswer: (answer: Answer) => void
  /** Called when a form is opened or closed. */
  readonly onWrite: (isWriting: boolean) => void
}

type Form = 'reason' | 'change'

/** Allow and Deny, with all other options. */
export function Decision({ onWrite, ...props }: DecisionProps): ReactElement {
  const { session, approval, disabled, mayAlways, onAnswer } = props
  const [form, setForm] = useState(() => draftForm(session, approval.id))
  // Leaving a form restores the focus; a form that opens on its own does not take it.
  const [left, setLeft] = useState<Form | null>(null)
  const enter = (wanted: Form) => {
    setForm(wanted)
    setLeft(wanted)
  }
  const back = () => {
    // A draft that another tab started in the other form must not be deleted here.
    if (form !== null) forgetDraft(draftOf(form, session, approval.id))
    setForm(null)
    setLeft(form)
  }
  useEffect(() => onWrite(form !== null), [onWrite, form])
  if (form !== null) {
    const draft = draftOf(form, session, approval.id)
    const to = { draft, takesFocus: left !== null, disabled, onAnswer, onBack: back }
    if (form === 'reason') return <ReasonForm agent={props.agent} {...to} />
    return <ChangeForm approval={approval} mayAlways={mayAlways} {...to} />
  }
  return <PlainDecision {...props} left={left} onForm={enter} />
}

function PlainDecision({
  approval,
  agent,
  disabled,
  mayAlways,
  isComparing,
  onAnswer,
  left,
  onForm,
}: Omit<DecisionProps, 'session' | 'onWrite'> & {
  readonly left: Form | null
  readonly onForm: (form: Form) => void
}): ReactElement {
  const rule = mayAlways ? ruleToBe(approval) : null
  return (
    <>
      <div className={styles['buttons']}>
        <KeyButton
          kind="primary"
          word="Allow"
          keys="y"
          disabled={disabled || isComparing}
          onPress={() => onAnswer({ approved: true })}
        />
        <KeyButton word="Deny" keys="n" disabled={disabled} onPress={() => onAnswer({ approved: false })} />
        {rule !== null && (
          <KeyButton
            word="Always allow"
            keys="a"
            disabled={disabled || isComparing}
            onPress={() => onAnswer({ approved: true, always: true })}
          />
        )}
        <Button
          kind="quiet"
          disabled={disabled}
          autoFocus={left === 'reason'}
          onClick={() => onForm('reason')}
        >
          Deny with reason…
        </Button>
        {agent?.changedInput !== false && (
          <Button
            kind="quiet"
            disabled={disabled}
            autoFocus={left === 'change'}
            onClick={() => onForm('change')}
          >
            Edit…
          </Button>
        )}
      </div>
      {isComparing && <p className={styles['hint']}>You can allow this edit after its changes are shown.</p>}
      {rule !== null && <RuleLine rule={rule} />}
      {mayAlways && rule === null && <p className={styles['hint']}>{approval.ruleReason}</p>}
      {agent?.changedInput === false && <p className={styles['hint']}>{cannotChange(agent)}</p>}
    </>
  )
}

const KeyButton = ({
  kind,
  word,
  keys,
  disabled,
  onPress,
}: Pick<ButtonProps, 'kind' | 'disabled'> & {
  readonly word: string
  readonly keys: string
  readonly onPress: () => void
}): ReactElement => (
  <Button kind={kind ?? 'plain'} disabled={disabled} aria-keyshortcuts={keys} onClick={onPress}>
    {word}
    <KeyHint keys={keys} />
  </Button>
)

/** The key that does the same as a button; the name of the button stays what it is. */
const KeyHint = ({ keys }: { readonly keys: string }): ReactElement => (
  <kbd className={styles['key']} aria-hidden>
    {keys}
  </kbd>
)
