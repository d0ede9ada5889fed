import { memo, type ReactElement } from 'react'
import { withoutAnsi } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import styles from './code.module.css'
import { kinds, type ColouredLine } from './highlight/coloured.ts'
import { areSameLines, groupLines, piecesOf } from './highlight/line-groups.ts'
import { useColours } from './highlight/use-colours.ts'

/** The text of some code, with colors where they are known. Coloring changes nothing else. */
export function CodeText({
  text,
  language,
  streaming = false,
}: {
  readonly text: string
  readonly language?: string | undefined
  readonly streaming?: boolean
}): ReactElement {
  const plain = withoutAnsi(text).replaceAll(/\r\n?/g, '\n')
  const groups = groupLines(plain, useColours(plain, language, streaming))
  return (
    <code>
      {groups.map((lines, index) => (
        <Group key={index} lines={lines} isLast={index === groups.length - 1} />
      ))}
    </code>
  )
}

interface GroupProps {
  readonly lines: readonly ColouredLine[]
  readonly isLast: boolean
}

const Group = memo(
  ({ lines, isLast }: GroupProps): ReactElement => (
    <span className={styles['group']}>
      {piecesOf(lines, isLast).map(([kind, text], index) =>
        kind === 0 ? (
          <InertText key={index} text={text} />
        ) : (
          <span key={index} className={styles[kinds[kind] ?? 'plain']}>
            <InertText text={text} />
          </span>
        ),
      )}
    </span>
  ),
  (before, now) => before.isLast === now.isLast && areSameLines(before.lines, now.lines),
)
