import { useId, useState, type FormEvent, type ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { inertString } from '../safety/inert-text.ts'
import { Button } from '../ui/button.tsx'
import styles from './option-form.module.css'
import {
  fieldKind,
  knownValues,
  labelOf,
  readField,
  textOf,
  titleOf,
  type NamedOption,
  type OptionValues,
} from './option-values.ts'

type Texts = Readonly<Record<string, string>>

/** The options that are changed seldom, each with its meaning. Empty fields leave the choice to the agent. */
export function OptionForm({
  options,
  advanced,
  values,
  onSave,
  onCancel,
}: {
  readonly options: readonly NamedOption[]
  readonly advanced: readonly NamedOption[]
  readonly values: OptionValues
  /** Gets a value for each option; null for an empty field. */
  readonly onSave: (values: OptionValues) => void
  readonly onCancel: () => void
}): ReactElement {
  const all = [...options, ...advanced]
  const [texts, setTexts] = useState<Texts>(() =>
    Object.fromEntries(all.map(([name, option]) => [name, textOf(option, values[name])])),
  )
  const [problems, setProblems] = useState<Texts>({})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The form of a new session is around this one.
    event.stopPropagation()
    const read = all.map(([name, option]) => [name, readField(option, texts[name] ?? '')] as const)
    const wrong = read.flatMap(([name, found]) =>
      'problem' in found ? [[name, found.problem] as const] : [],
    )
    setProblems(Object.fromEntries(wrong))
    if (wrong.length > 0) return
    onSave(
      Object.fromEntries(read.flatMap(([name, found]) => ('value' in found ? [[name, found.value]] : []))),
    )
  }
  const field = (named: NamedOption) => (
    <Field
      key={named[0]}
      named={named}
      text={texts[named[0]] ?? ''}
      problem={problems[named[0]]}
      onChange={text => setTexts(before => ({ ...before, [named[0]]: text }))}
    />
  )
  const isAdvancedSet = advanced.some(([name]) => values[name] !== undefined || problems[name] !== undefined)
  return (
    <form className={styles['form']} onSubmit={submit}>
      {options.map(field)}
      {advanced.length > 0 && (
        <details className={styles['advanced']} open={isAdvancedSet || options.length === 0}>
          <summary>Advanced</summary>
          <div className={styles['fields']}>{advanced.map(field)}</div>
        </details>
      )}
      <div className={styles['actions']}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit">
          Save options
        </Button>
      </div>
    </form>
  )
}

function Field({
  named,
  text,
  problem,
  onChange,
}: {
  readonly named: NamedOption
  readonly text: string
  readonly problem: string | undefined
  readonly onChange: (text: string) => void
}): ReactElement {
  const id = useId()
  const [, option] = named
  const { description } = option
  const hints = [`${id}-about`, ...(problem === undefined ? [] : [`${id}-problem`])].join(' ')
  const kind = fieldKind(option)
  const shared = {
    id,
    'aria-describedby': hints,
    'aria-invalid': problem !== undefined,
    value: text,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  }
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{inertString(titleOf(named))}</label>
      {kind === 'choice' && (
        <select {...shared}>
          <option value="">Default</option>
          {knownValues(option).map(value => (
            <option key={textOf(option, value)} value={textOf(option, value)}>
              {inertString(labelOf(option, value))}
            </option>
          ))}
        </select>
      )}
      {kind === 'number' && <input {...shared} inputMode="decimal" autoComplete="off" />}
      {(kind === 'text' || kind === 'lines' || kind === 'json') && (
        <textarea
          {...shared}
          rows={1}
          spellCheck={kind === 'text'}
          maxLength={100_000}
          placeholder={kind === 'lines' ? 'One on each line' : undefined}
        />
      )}
      <p id={`${id}-about`} className={styles['about']}>
        <InertText text={description ?? ''} />
      </p>
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
