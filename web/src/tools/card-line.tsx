import type { ReactElement, ReactNode } from 'react'
import {
  Ban,
  Check,
  ChevronRight,
  CircleAlert,
  CircleDashed,
  CircleHelp,
  LoaderCircle,
  X,
  type LucideIcon,
} from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import { standingWords, type Card, type Standing } from './card.ts'
import styles from './card-line.module.css'
import { CardSentence } from './card-sentence.tsx'
import { FamilyIcon } from './family-icon.tsx'
import { LineCounts } from './views/line-counts.tsx'

const marks: Readonly<Record<Standing, LucideIcon>> = {
  writing: LoaderCircle,
  asking: CircleHelp,
  running: LoaderCircle,
  done: Check,
  partial: CircleAlert,
  failed: X,
  denied: Ban,
  unfinished: CircleDashed,
}

/** The line of a card: what happened, how it ended, how long it took. A press opens the card. */
export function CardLine({
  card,
  time,
  open,
  controls,
  onToggle,
}: {
  readonly card: Card
  /** The duration. */
  readonly time: ReactNode
  readonly open: boolean
  /** The ID of the element that opens. */
  readonly controls: string
  readonly onToggle: () => void
}): ReactElement {
  const { family, sentence, folder, standing, exit, lines } = card
  const Mark = marks[standing]
  return (
    <button
      type="button"
      className={classNames(styles['line'], styles[standing])}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onToggle}
    >
      <ChevronRight size={14} aria-hidden className={classNames(styles['arrow'], open && styles['open'])} />
      <span className={styles['icon']}>
        <FamilyIcon family={family} />
      </span>
      <CardSentence text={sentence} folder={folder} />
      {/* A space, so that adjacent texts are not read as one word. */}{' '}
      <span className={styles['facts']}>
        {lines !== null && <LineCounts {...lines} />}{' '}
        {exit !== null && (
          <span className={classNames(styles['exit'], exit !== 0 && styles['wrong'])}>{`exit ${exit}`}</span>
        )}{' '}
        {time}{' '}
        <span className={styles['mark']}>
          <Mark size={16} aria-hidden />
          <span className="unseen">{standingWords[standing]}</span>
        </span>
      </span>
    </button>
  )
}
