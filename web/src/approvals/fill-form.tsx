import type { ReactElement } from 'react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import { filledIn, writtenIn, type FormField } from './form-fields.ts'
import { jsonIn } from './json-fields.ts'
import styles from './question-form.module.css'
import type { Answer } from './use-answering.ts'
import { useFormDraft } from './use-form-draft.ts'

/** A form that an MCP server asks the user to fill in. */
export function FillForm({
  fields,
  draft,
  disabled,
  onAnswer,
  onWrite,
}: {
  readonly fields: readonly FormField[]
  /** The storage key of the draft. */
  readonly draft: string
  readonly disabled: boolean
  readonly onAnswer: (answer: Answer) => void
  /** Called when a value was chosen or typed. */
  readonly onWrite: (isWriting: boolean) => void
}): ReactElement {
  const { typed, setTyped, trouble } = useFormDraft(
    draft,
    kept => writtenIn(jsonIn(kept), fields),
    next => next,
    onWrite,
  )
  const input = filledIn(fields, typed)
  return (
    <form
      className={styles['form']}
      onSubmit={event => {
        event.preventDefault()
        if (input !== null && !disabled) onAnswer({ approved: true, input })
      }}
    >
      <div className={styles['questions']}>
        {fields.map(field => (
          <label key={field.name} className={styles['label']}>
            <span>
              <InertText text={field.label} />
              {field.required && ' (required)'}
            </span>
            {field.description !== null && (
              <span className={styles['description']}>
                <InertText text={field.description} />
              </span>
            )}
            <Field
              field={field}
              value={typed[field.name] ?? ''}
              onChange={value => setTyped({ ...typed, [field.name]: value })}
            />
          </label>
        ))}
      </div>
      {trouble !== null && <p role="alert">{trouble}</p>}
      <div className={styles['buttons']}>
        <Button type="submit" kind="primary" disabled={disabled || input === null}>
          Answer
        </Button>
        <Button disabled={disabled} onClick={() => onAnswer({ approved: false })}>
          Deny
        </Button>
      </div>
    </form>
  )
}

function Field({
  field: { kind, choices },
  value,
  onChange,
}: {
  readonly field: FormField
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement {
  if (kind === 'text' || kind === 'number')
    return (
      <input
        className={styles['own']}
        inputMode={kind === 'number' ? 'decimal' : 'text'}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  const options = kind === 'flag' ? ['yes', 'no'] : choices
  return (
    <select className={styles['select']} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">Choose…</option>
      {options.map(each => (
        <option key={each} value={each}>
          {inertString(each)}
        </option>
      ))}
    </select>
  )
}
