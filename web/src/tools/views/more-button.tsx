import type { ReactElement } from 'react'
import { Button } from '../../ui/button.tsx'
import { leftWords, type Room } from '../shown-part.ts'

/** A button that shows more of a long text; nothing when all of it is shown. */
export const MoreButton = ({
  left,
  onMore,
}: {
  readonly left: Room
  readonly onMore: () => void
}): ReactElement | null =>
  left.characters === 0 ? null : <Button small onClick={onMore}>{`Show more (${leftWords(left)})`}</Button>
