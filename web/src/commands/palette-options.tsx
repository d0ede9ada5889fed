import { memo, type ReactElement } from 'react'
import { classNames } from '../ui/class-names.ts'
import { KeyCaps } from '../keyboard/key-caps.tsx'
import type { FoundItem, PaletteGroup, PaletteItem } from './palette-items.ts'
import styles from './palette.module.css'

/** The element ID of an option; command IDs may contain spaces, element IDs may not. */
export const optionId = (list: string, { id }: PaletteItem): string => `${list}-${encodeURIComponent(id)}`

/** The results, under their headings. */
export const PaletteOptions = ({
  id,
  groups,
  trouble,
  active,
  onPoint,
  onChoose,
}: {
  readonly id: string
  readonly groups: readonly PaletteGroup[]
  readonly trouble: string | null
  readonly active: string | null
  readonly onPoint: (item: string) => void
  readonly onChoose: (item: PaletteItem) => void
}): ReactElement => (
  <div id={`${id}-list`} role="listbox" aria-label="Commands and sessions" className={styles['list']}>
    {groups.map(({ name, items }) => (
      <div key={name} role="group" aria-label={name}>
        <p className={styles['heading']} aria-hidden>
          {name}
        </p>
        {items.map(item => (
          <Option
            key={item.id}
            id={optionId(id, item)}
            item={item}
            isActive={item.id === active}
            onPoint={onPoint}
            onChoose={onChoose}
          />
        ))}
      </div>
    ))}
    {groups.length === 0 && <p className={styles['none']}>{trouble ?? 'No results. Try fewer letters.'}</p>}
  </div>
)

const Option = memo(
  ({
    id,
    item,
    isActive,
    onPoint,
    onChoose,
  }: {
    readonly id: string
    readonly item: FoundItem
    readonly isActive: boolean
    readonly onPoint: (item: string) => void
    readonly onChoose: (item: PaletteItem) => void
  }): ReactElement => (
    // The text field handles the keys and keeps the focus.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={classNames(styles['option'], isActive && styles['active'])}
      onPointerMove={() => !isActive && onPoint(item.id)}
      onClick={() => onChoose(item)}
    >
      <span className={styles['title']}>
        <Marked text={item.title} places={item.places} />
      </span>
      {item.hint !== undefined && <span className={styles['hint']}>{item.hint}</span>}
      {item.keys !== undefined && (
        <KeyCaps keys={typeof item.keys === 'string' ? item.keys : item.keys.slice(0, 1)} />
      )}
    </div>
  ),
)

/** Text with the matched letters highlighted. */
function Marked({
  text,
  places,
}: {
  readonly text: string
  readonly places: readonly number[]
}): ReactElement {
  const pieces = text.split('').map((letter, at) => ({ letter, marked: places.includes(at) }))
  const runs = pieces.reduce<{ text: string; marked: boolean }[]>((all, { letter, marked }) => {
    const last = all.at(-1)
    if (last?.marked === marked) last.text += letter
    else all.push({ text: letter, marked })
    return all
  }, [])
  return (
    <>
      {runs.map((run, at) =>
        // Pieces of one text have no other name.
        run.marked ? <mark key={at}>{run.text}</mark> : <span key={at}>{run.text}</span>,
      )}
    </>
  )
}
