import { useMemo, type ReactElement } from 'react'
import { ChevronRight, Layers } from 'lucide-react'
import { tellPart, type CallPlace } from 'dragoman/client/work-log'
import { counted } from '../ui/amounts.ts'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import fold from './fold.module.css'
import { useRowSetting } from './row-setting.ts'
import type { RowOf, StepRow } from './row.ts'
import styles from './steps-row.module.css'

/** A run of finished steps in one line: how many, and what came of them. The steps follow while it is open. */
export function StepsRow({ row }: { readonly row: RowOf<'steps'> }): ReactElement {
  const { openSteps, place } = useRowSetting()
  const { key, steps, open } = row
  const { commands, files, failures, failed } = useMemo(() => countSteps(steps, place), [steps, place])
  return (
    <button
      type="button"
      className={classNames(fold['fold'], styles['steps'])}
      aria-expanded={open}
      onClick={() => openSteps(key, !open)}
    >
      <ChevronRight size={14} aria-hidden className={classNames(fold['chevron'], open && fold['open'])} />
      <Layers size={15} aria-hidden className={styles['icon']} />
      <span className={styles['facts']}>
        <span>{counted(steps.length, 'step')}</span>
        {commands > 0 && <span>{counted(commands, 'command')}</span>}
        {files > 0 && <span>{`${counted(files, 'file')} changed`}</span>}
        {failures > 0 && <strong className={styles['failures']}>{counted(failures, 'failure')}</strong>}
      </span>{' '}
      {!open && failed !== null && (
        <span className={styles['failed']}>
          <InertText text={failed} />
        </span>
      )}
    </button>
  )
}

/** What came of the steps of a run. */
export interface StepCounts {
  readonly commands: number
  /** The different files that were changed. */
  readonly files: number
  readonly failures: number
  /** What the first failure was, in a sentence. */
  readonly failed: string | null
}

/** Counts what came of steps. */
export function countSteps(steps: readonly StepRow[], place: CallPlace): StepCounts {
  const files = new Set<string>()
  const failed: string[] = []
  let commands = 0
  for (const step of steps) {
    if (step.kind !== 'tool') continue
    const { family, subject, outcome, sentence } = tellPart(step.part, place)
    if (outcome === 'failure') failed.push(sentence.replaceAll('`', ''))
    else if (family === 'edit' || family === 'write') for (const { path } of subject.files) files.add(path)
    if (family === 'run') commands += 1
  }
  return { commands, files: files.size, failures: failed.length, failed: failed[0] ?? null }
}
