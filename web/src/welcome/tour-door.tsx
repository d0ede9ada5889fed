import type { ReactElement } from 'react'
import { runCommand } from '../keyboard/command.ts'
import { addressOf, go } from '../places.ts'
import { Button } from '../ui/button.tsx'
import { placeBehind, type TourDoor } from './tour-steps.ts'

/** Leads to what a step of the tour is about. */
export const TourDoorButton = ({
  door,
  session,
}: {
  readonly door: TourDoor
  readonly session: string
}): ReactElement => (
  <Button small onClick={() => openDoor(door, session)}>
    {door.label}
  </Button>
)

function openDoor(door: TourDoor, session: string): void {
  if ('command' in door) runCommand(door.command)
  else if ('place' in door) go(placeBehind(door.place, session))
  else window.open(addressOf({ page: 'session', session }), '_blank', 'noopener')
}
