import type { ReactElement } from 'react'
import type { Theme } from '../ui/theme.ts'
import { inertString } from '../safety/inert-text.ts'
import { classNames } from '../ui/class-names.ts'
import type { Picture } from './diagram/messages.ts'
import { createMemory } from './memory.ts'
import styles from './diagram.module.css'

/** Diagrams that were drawn already, so that scrolling does not draw them again. */
const pictures = createMemory<Picture>(50)

const nameOf = (text: string, theme: Theme) => `${theme} ${text}`

/** Saves the image of a diagram. */
export const keepPicture = (text: string, theme: Theme, picture: Picture): void =>
  pictures.keep(nameOf(text, theme), picture)

/** The last drawing of a diagram in these colors. */
export const recallPicture = (text: string, theme: Theme): Picture | undefined =>
  pictures.recall(nameOf(text, theme))

/** Text below this size cannot be read: then the diagram scrolls sideways. */
const smallest = 0.7

/**
 * A diagram that was drawn before, as an image that can't run or fetch anything. Its space is reserved before it
 * is painted.
 */
export const DiagramPicture = ({
  picture: { svg, width, height, words },
}: {
  readonly picture: Picture
}): ReactElement => (
  <div
    className={classNames(styles['picture'], 'scrolls-sideways')}
    tabIndex={0}
    role="group"
    aria-label="Drawing"
  >
    <img
      src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
      width={width}
      height={height}
      alt={`Diagram: ${inertString(words)}`}
      style={{ minWidth: Math.min(2_000, width * smallest) }}
    />
  </div>
)
