import { useId, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import styles from './tabs.module.css'

/** One of several tabs. */
export interface Tab<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly content: () => ReactNode
}

/** Tabs, one of them open. The arrow keys move between them. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly tabs: readonly Tab<Name>[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}): ReactElement {
  const id = useId()
  const here = tabs.findIndex(({ name }) => name === chosen)
  const move = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const next = tabs[(here + step + tabs.length) % tabs.length]
    if (step === 0 || next === undefined) return
    onChoose(next.name)
    currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(next)]?.focus()
  }
  return (
    <div className={styles['tabs']}>
      <div role="tablist" aria-label={label} className={styles['list']} onKeyDown={move}>
        {tabs.map(tab => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === chosen ? 0 : -1}
            className={styles['tab']}
            onClick={() => onChoose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen}`}
        tabIndex={0}
        className={styles['panel']}
      >
        {tabs[here]?.content()}
      </div>
    </div>
  )
}
