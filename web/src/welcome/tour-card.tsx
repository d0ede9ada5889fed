import { useId, useRef, useState, type ReactElement } from 'react'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { Session } from 'dragoman/client'
import { useReadable } from 'dragoman/react'
import { focusWriting } from '../composer/focus-message.ts'
import { runCommand } from '../keyboard/command.ts'
import { go, placeOf, addressOf } from '../places.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { toast } from '../ui/toast.ts'
import { usePhone } from '../ui/use-media.ts'
import styles from './tour-card.module.css'
import { keepTour, useTour, type Tour } from './tour-state.ts'
import { tourSteps, placeBehind, type TourStep, type TourDoor } from './tour-steps.ts'

/** The tour in a session: what to look at, and the next step. Empty where there is no tour. */
export function TourCard({ session }: { readonly session: Session }): ReactElement | null {
  const tour = useTour(session.id)
  const step = tour && tourSteps[tour.step]
  return tour === null || !step ? null : <Card session={session} tour={tour} step={step} />
}

interface CardProps {
  readonly session: Session
  readonly tour: Tour
  readonly step: TourStep
}

function Card({ session, tour, step }: CardProps): ReactElement {
  const id = useId()
  const isAsked = useReadable(session.status).status === 'waiting'
  const { isFolded, toggle } = useFolding(tour, isAsked)
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <header className={styles['header']}>
        <h2 id={id} className={styles['title']}>
          {step.title}
        </h2>
        {tour.step > 0 && (
          <span className={styles['count']}>{`${tour.step} of ${tourSteps.length - 1}`}</span>
        )}
        <IconButton
          label={isFolded ? 'Expand the tour' : 'Collapse the tour'}
          aria-expanded={!isFolded}
          className={styles['close']}
          onClick={toggle}
        >
          {isFolded ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
        </IconButton>
        <IconButton label="End the tour" className={styles['close']} onClick={() => breakOff(session, tour)}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <Look words={isFolded ? [] : step.look} />
      <footer className={styles['footer']}>
        {!isFolded && <Doors session={session} tour={tour} step={step} />}
        <Steps session={session} tour={tour} isAsked={isAsked} />
      </footer>
    </section>
  )
}

/** During the demo, and on a phone, an approval request needs the space, unless the user expanded this step. */
function useFolding({ step }: Tour, isAsked: boolean) {
  const [isChosen, fold] = useState(false)
  const [stepToRead, read] = useState<number | null>(null)
  const isPhone = usePhone()
  const byItself = (isPhone || step === 0) && isAsked
  const isFolded = isChosen || (byItself && stepToRead !== step)
  const toggle = () => {
    fold(!isFolded && !byItself)
    read(isFolded ? step : null)
  }
  return { isFolded, toggle }
}

/** The text of a step; scrollable, also by keyboard, where it is too long. */
const Look = ({ words }: { readonly words: readonly string[] }): ReactElement => (
  <div
    className={classNames(styles['look'], 'scrolls-down')}
    role="group"
    aria-label="What to look at"
    aria-live="polite"
    tabIndex={words.length === 0 ? -1 : 0}
  >
    {words.map(each => (
      <p key={each}>{each}</p>
    ))}
  </div>
)

const Doors = ({ session, tour, step: { door, prompts = [] } }: CardProps): ReactElement => (
  <>
    {door && <TourDoorButton door={door} session={session.id} />}
    {prompts.length > 0 && (
      <Button small kind="quiet" onClick={() => send(session, prompts)}>
        {tour.sent.includes(tour.step) ? 'Show it again' : 'Show it'}
      </Button>
    )}
  </>
)

function Steps({
  session,
  tour,
  isAsked,
}: Omit<CardProps, 'step'> & { readonly isAsked: boolean }): ReactElement {
  const last = tourSteps.length - 1
  const isLast = tour.step === last
  const isHeld = isAsked && !isLast
  const why = useId()
  const next = useRef<HTMLButtonElement>(null)
  // When the focused button disappears, the button that is always there gets the focus.
  const step = (to: Tour) => {
    if (to.step === 0 || to.step === last) next.current?.focus()
    keepTour(session.id, to)
  }
  const goOn = () => {
    if (isLast) endTour(session)
    else if (!isHeld) step(nextOf(session, tour))
  }
  return (
    <span className={styles['steps']}>
      {isAsked && (
        <span id={why} className={styles['waiting']}>
          Answer it to continue.
        </span>
      )}
      {tour.step > 0 && (
        <Button small onClick={() => step({ ...tour, step: tour.step - 1 })}>
          Back
        </Button>
      )}
      {tour.step > 0 && !isLast && (
        <Button small kind="quiet" onClick={() => step({ ...tour, step: tour.step + 1 })}>
          Skip
        </Button>
      )}
      {/* A button that is disabled would lose the focus to nothing. */}
      <Button
        ref={next}
        small
        kind="primary"
        autoFocus={tour.step === 0}
        aria-disabled={isHeld || undefined}
        aria-describedby={isHeld ? why : undefined}
        // The second click of a double click would pass a step by.
        onClick={({ detail }) => detail < 2 && goOn()}
      >
        {isLast ? 'Finish' : tour.step === 0 ? 'Take the full tour' : 'Next'}
      </Button>
    </span>
  )
}

function endTour(session: Session): void {
  keepTour(session.id, null)
  focusWriting()
}

/** Ends the tour early, and explains how to resume it. */
function breakOff(session: Session, tour: Tour): void {
  const goOn = () => {
    keepTour(session.id, tour)
    const here = placeOf(window.location.pathname)
    const isHere = here.page === 'session' && here.session === session.id
    if (!isHere) go({ page: 'session', session: session.id })
  }
  endTour(session)
  toast(
    'The tour is over. To take it again, choose “Start the demo” on the start page or in the command palette.',
    {
      action: { label: 'Resume the tour', run: goOn },
    },
  )
}

/** Goes to the next step; its prompts are sent when it is reached for the first time. */
function nextOf(session: Session, tour: Tour): Tour {
  const step = tour.step + 1
  const { prompts = [] } = tourSteps[step] ?? {}
  if (prompts.length === 0 || tour.sent.includes(step)) return { ...tour, step }
  send(session, prompts)
  return { step, sent: [...tour.sent, step] }
}

function send(session: Session, prompts: readonly string[]): void {
  for (const prompt of prompts) session.prompt(prompt)
}

/** Leads to what a step of the tour is about. */
const TourDoorButton = ({
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
