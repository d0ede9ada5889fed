import { useState, type KeyboardEvent, type ReactElement } from 'react'
import type { Json } from 'dragoman'
import { inertString } from '../safety/inert-text.ts'
import styles from './option-bar.module.css'
import { isOpen, knownValues, labelOf, textOf, titleOf, type NamedOption } from './option-values.ts'

const unset = ''
/** No value of an option begins with this sign: texts with it are not offered. */
const other = '\u0000other'

/** A list of the values of one option; another value can be typed where that is valid. */
export function OptionPicker({
  named,
  value,
  preset,
  disabled,
  why,
  onChange,
}: {
  readonly named: NamedOption
  readonly value: Json | undefined
  /** What the agent uses while nothing is chosen, if that is known. */
  readonly preset: string | null
  readonly disabled: boolean
  /** Why it is disabled. */
  readonly why: string | undefined
  /** Null: as the agent decides. */
  readonly onChange: (value: Json) => void
}): ReactElement {
  const [isTyping, setTyping] = useState(false)
  const [, option] = named
  const title = inertString(titleOf(named))
  const current = textOf(option, value)
  const known = knownValues(option).map(each => [textOf(option, each), each] as const)
  const isListed = current === unset || known.some(([text]) => text === current)
  if (isTyping)
    return (
      <OtherValue
        title={title}
        value={current}
        onDone={text => {
          setTyping(false)
          if (text !== null && text !== current) onChange(text)
        }}
      />
    )
  const choose = (text: string) => {
    if (text === other) return setTyping(true)
    onChange(text === unset ? null : (known.find(([each]) => each === text)?.[1] ?? text))
  }
  return (
    <select
      className={styles['picker']}
      aria-label={title}
      title={why ?? inertString(`${title}. ${option.description ?? ''}`)}
      disabled={disabled}
      value={current}
      onChange={({ target }) => choose(target.value)}
    >
      <option value={unset}>{`${title}: ${preset === null ? 'default' : inertString(preset)}`}</option>
      {!isListed && <option value={current}>{inertString(labelOf(option, value ?? null))}</option>}
      {known.map(([text, each]) => (
        <option key={text} value={text}>
          {inertString(labelOf(option, each))}
        </option>
      ))}
      {isOpen(option) && <option value={other}>Other…</option>}
    </select>
  )
}

/** A field for a value that is not listed. Enter sets it, Escape leaves it as it was. */
function OtherValue({
  title,
  value,
  onDone,
}: {
  readonly title: string
  readonly value: string
  readonly onDone: (text: string | null) => void
}): ReactElement {
  const [text, setText] = useState(value)
  const done = () => onDone(text.trim() === '' ? null : text.trim())
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') done()
    else onDone(null)
  }
  return (
    <input
      ref={field => field?.focus()}
      className={styles['picker']}
      aria-label={title}
      value={text}
      maxLength={200}
      placeholder={title}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={onKeyDown}
      onBlur={done}
    />
  )
}
