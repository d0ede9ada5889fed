import type { AnchorHTMLAttributes, MouseEvent, ReactElement } from 'react'
import { addressOf, go, type Place } from '../places.ts'

/** A link inside the app; with a modifier key it opens like any link. */
export const PlaceLink = ({
  to,
  onClick,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: Place }): ReactElement => (
  <a
    href={addressOf(to)}
    onClick={(event: MouseEvent<HTMLAnchorElement>) => {
      onClick?.(event)
      if (
        event.defaultPrevented ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey ||
        event.altKey
      )
        return
      event.preventDefault()
      go(to)
    }}
    {...rest}
  />
)
