import type { ReactElement } from 'react'
import styles from './asked-view.module.css'
import { jsonText, otherFields } from './json-fields.ts'
import { WholeText } from './whole-text.tsx'

/** The fields of an input that are not shown otherwise, each in full. */
export function FieldList({
  input,
  shown,
}: {
  readonly input: unknown
  readonly shown: readonly string[]
}): ReactElement | null {
  const fields = otherFields(input, shown)
  if (fields.length === 0) return null
  return (
    <dl className={styles['fields']}>
      {fields.map(({ name, text }) => (
        <div key={name} className={styles['field']}>
          <dt>
            <WholeText text={name} />
          </dt>
          <dd>
            <WholeText text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A value shown as JSON. */
export const JsonView = ({ value }: { readonly value: unknown }): ReactElement => (
  <pre className={styles['json']} tabIndex={0} aria-label="Input">
    <WholeText text={jsonText(value)} />
  </pre>
)
