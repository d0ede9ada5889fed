import { useDeferredValue, useId, useMemo, useState, type KeyboardEvent, type ReactElement } from 'react'
import { strokeOf } from '../keyboard/keys.ts'
import { PaletteField } from './palette-field.tsx'
import { findItems, type PaletteItem } from './palette-items.ts'
import { optionId, PaletteOptions } from './palette-options.tsx'
import styles from './palette.module.css'
import { recentlyUsed } from './recent.ts'

/** A search field with the matching commands below. The arrow keys select, Enter runs. */
export function PaletteSearch({
  items,
  typed: early = '',
  trouble = null,
  onTyped,
  onChoose,
  onClose,
}: {
  readonly items: readonly PaletteItem[]
  /** The initial text of the field. */
  readonly typed?: string
  /** Why there may be more than these, in a sentence. */
  readonly trouble?: string | null
  readonly onTyped: (typed: string) => void
  readonly onChoose: (item: PaletteItem) => void
  readonly onClose: () => void
}): ReactElement {
  const id = useId()
  const [typed, setTyped] = useState(early)
  const [chosen, setChosen] = useState<string | null>(null)
  const [recent] = useState(recentlyUsed)
  const asked = useDeferredValue(typed)
  const groups = useMemo(() => findItems(asked, items, recent), [asked, items, recent])
  const all = groups.flatMap(({ items: some }) => some)
  const here = Math.max(
    0,
    all.findIndex(each => each.id === chosen),
  )
  const active = all[here]
  const move = (to: number) => {
    const next = all[(to + all.length) % all.length]
    setChosen(next?.id ?? null)
    if (next)
      document.querySelector(`#${CSS.escape(optionId(id, next))}`)?.scrollIntoView({ block: 'nearest' })
  }
  const steer = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = steps[event.key]?.(here, all.length)
    if (step !== undefined) move(step)
    else if (event.key === 'Enter' && active !== undefined) onChoose(active)
    else if (strokeOf(event) === 'mod+k') onClose()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles['palette']}>
      <PaletteField
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={active && optionId(id, active)}
        aria-autocomplete="list"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setChosen(null)
          onTyped(target.value)
        }}
        onKeyDown={steer}
      />
      <PaletteOptions
        id={id}
        groups={groups}
        trouble={trouble}
        active={active?.id ?? null}
        onPoint={setChosen}
        onChoose={onChoose}
      />
      <p className="unseen" role="status">
        {all.length === 0 ? (trouble ?? 'No results.') : asked === '' ? '' : `${all.length} results.`}
      </p>
    </div>
  )
}

const steps: Readonly<Record<string, (here: number, count: number) => number>> = {
  ArrowDown: here => here + 1,
  ArrowUp: here => here - 1,
  PageDown: (here, count) => Math.min(here + 8, count - 1),
  PageUp: here => Math.max(here - 8, 0),
}
