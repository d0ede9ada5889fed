import { useState, type ReactElement } from 'react'
import type { Json } from 'dragoman'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { counted } from './amounts.ts'
import { Button } from './button.tsx'
import styles from './json-tree.module.css'

/** How much is shown before the user asks for more. */
const limits = { items: 50, characters: 400, moreCharacters: 50_000 }

/** Any JSON as a tree that opens level by level; closed levels are not in the page. */
export function JsonTree({
  value,
  name,
  open = 1,
}: {
  readonly value: Json
  readonly name?: string
  /** How many levels are open at first. */
  readonly open?: number
}): ReactElement {
  return (
    <div className={styles['tree']}>
      <Node name={name} value={value} open={open} />
    </div>
  )
}

interface NodeProps {
  readonly name: string | undefined
  readonly value: Json
  readonly open: number
}

function Node({ name, value, open }: NodeProps): ReactElement {
  if (typeof value !== 'object' || value === null) return <Leaf name={name} value={value} />
  const entries = Object.entries(value)
  if (entries.length === 0) return <Line name={name} words={Array.isArray(value) ? '[ ]' : '{ }'} />
  return <Branch name={name} value={value} open={open} entries={entries} />
}

function Branch({
  name,
  value,
  open: depth,
  entries,
}: NodeProps & { readonly entries: readonly [string, Json][] }): ReactElement {
  const [open, setOpen] = useState(depth > 0)
  const [most, setMost] = useState(limits.items)
  const isList = Array.isArray(value)
  const left = entries.length - most
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={styles['head']}>
        <Name name={name} />
        <span className={styles['about']}>{sizeOf(entries.length, isList)}</span>
      </summary>
      {open && (
        <ul className={styles['inside']}>
          {entries.slice(0, most).map(([key, each]) => (
            <li key={key}>
              <Node name={key} value={each} open={depth - 1} />
            </li>
          ))}
          {left > 0 && (
            <li>
              <Button small onClick={() => setMost(most * 4)}>{`Show more (${left} left)`}</Button>
            </li>
          )}
        </ul>
      )}
    </details>
  )
}

const sizeOf = (count: number, isList: boolean) =>
  isList ? `[ ${counted(count, 'item')} ]` : `{ ${counted(count, 'field')} }`

const Name = ({ name }: { readonly name: string | undefined }) =>
  name === undefined ? null : (
    <>
      <span className={styles['name']}>
        <InertText text={name} />
      </span>
      {': '}
    </>
  )

const Line = ({ name, words }: { readonly name: string | undefined; readonly words: string }) => (
  <div className={styles['line']}>
    <Name name={name} />
    <span className={styles['about']}>{words}</span>
  </div>
)

function Leaf({
  name,
  value,
}: {
  readonly name: string | undefined
  readonly value: Exclude<Json, object>
}): ReactElement {
  if (typeof value === 'string') return <Text name={name} text={value} />
  return (
    <div className={styles['line']}>
      <Name name={name} />
      <span className={styles['value']}>{String(value)}</span>
    </div>
  )
}

/** A text: short ones in quotes, long ones as they are, line by line. */
function Text({ name, text }: { readonly name: string | undefined; readonly text: string }): ReactElement {
  const [most, setMost] = useState(limits.characters)
  const left = text.length - most
  const isBlock = text.includes('\n') || text.length > 100
  const shown = left > 0 ? text.slice(0, most) : text
  return (
    <div className={styles['line']}>
      <Name name={name} />
      {isBlock ? (
        <pre className={styles['block']} tabIndex={0} role="group" aria-label={inertString(name ?? 'Text')}>
          <InertText text={shown} />
        </pre>
      ) : (
        <span className={styles['text']}>
          “<InertText text={shown} />”
        </span>
      )}
      {left > 0 && (
        <Button small onClick={() => setMost(most + limits.moreCharacters)}>
          {`Show more (${counted(left, 'character', each => each.toLocaleString('en'))} left)`}
        </Button>
      )}
    </div>
  )
}
