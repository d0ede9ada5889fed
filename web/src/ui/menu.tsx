import { useId, useRef, type KeyboardEvent, type ReactElement, type ReactNode, type ToggleEvent } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './menu.module.css'

/** One thing to choose in a menu. */
export interface MenuItem {
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onChoose: () => void
}

/** A button that opens a list of things to do. */
export function Menu({
  label,
  icon,
  items,
  tabIndex,
}: {
  readonly label: string
  readonly icon: ReactNode
  readonly items: readonly MenuItem[]
  /** Below 0 where the Tab key passes the button by, because other keys lead to it. */
  readonly tabIndex?: number
}): ReactElement {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <IconButton ref={opener} label={label} aria-haspopup="menu" popoverTarget={id} tabIndex={tabIndex}>
        {icon}
      </IconButton>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={styles['menu']}
        onToggle={event => place(event, opener.current)}
        onKeyDown={move}
      >
        {items.map(({ label: name, icon: picture, danger, disabled, onChoose }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            disabled={disabled}
            className={classNames(styles['item'], danger && styles['danger'])}
            onClick={() => {
              list.current?.hidePopover()
              onChoose()
            }}
          >
            {picture}
            {name}
          </button>
        ))}
      </div>
    </>
  )
}

const choices = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)')]

/** Under its button, inside the window. */
function place(
  { newState, currentTarget: menu }: ToggleEvent<HTMLDivElement>,
  opener: HTMLElement | null,
): void {
  if (newState !== 'open' || opener === null) return
  const { bottom, top, right } = opener.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = menu
  const fits = bottom + offsetHeight < window.innerHeight
  menu.style.top = `${fits ? bottom + 4 : Math.max(8, top - offsetHeight - 4)}px`
  menu.style.left = `${Math.max(8, right - offsetWidth)}px`
  choices(menu)[0]?.focus()
}

/** The arrows go round, Home and End to the ends. */
function move(event: KeyboardEvent<HTMLDivElement>): void {
  const all = choices(event.currentTarget)
  const here = all.indexOf(document.activeElement as HTMLElement)
  const places: Readonly<Record<string, number>> = {
    ArrowDown: (here + 1) % all.length,
    ArrowUp: (here - 1 + all.length) % all.length,
    Home: 0,
    End: all.length - 1,
  }
  const next = places[event.key]
  if (next === undefined) return
  event.preventDefault()
  all[next]?.focus()
}
