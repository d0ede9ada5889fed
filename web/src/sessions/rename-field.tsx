import { useRef, type KeyboardEvent, type ReactElement } from 'react'
import styles from './rename-field.module.css'

/** A text field in place of a name. Enter and leaving it save, Escape cancels. */
export function RenameField({
  name,
  onDone,
}: {
  readonly name: string
  /** Null: no change. With a key, the focus was here until now. */
  readonly onDone: (name: string | null, byKey: boolean) => void
}): ReactElement {
  const isOver = useRef(false)
  const end = (value: string | null, byKey: boolean) => {
    if (isOver.current) return
    isOver.current = true
    const next = value?.trim() ?? ''
    onDone(next === '' || next === name ? null : next.slice(0, 1000), byKey)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    // The element that gets the focus next must not handle this key.
    event.preventDefault()
    end(event.key === 'Enter' ? event.currentTarget.value : null, true)
  }
  return (
    <input
      ref={choose}
      className={styles['field']}
      aria-label="Session name"
      defaultValue={name}
      maxLength={1000}
      onKeyDown={press}
      onBlur={({ currentTarget }) => end(currentTarget.value, false)}
    />
  )
}

const choose = (field: HTMLInputElement | null): void => {
  field?.focus()
  field?.select()
}
