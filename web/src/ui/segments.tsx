import { useId, type ReactElement } from 'react'
import styles from './segments.module.css'

/** A choice of a few options: native radio buttons that look like one bar. */
export function Segments<Name extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly options: readonly { readonly name: Name; readonly label: string }[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}): ReactElement {
  const group = useId()
  return (
    <fieldset className={styles['segments']}>
      <legend className="unseen">{label}</legend>
      {options.map(option => (
        <label key={option.name} className={styles['segment']}>
          <input
            type="radio"
            name={group}
            className="unseen"
            checked={option.name === chosen}
            onChange={() => onChoose(option.name)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
