import { useEffect, useRef, useState } from 'react'
import type { ListedApproval } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import { inertString } from '../safety/inert-text.ts'
import { sentenceOf } from './asked.ts'

/** What screen readers are told of the questions that wait: of each once, when it comes. */
export function useAnnouncement(waiting: readonly ListedApproval[], place: CallPlace): string {
  const told = useRef<ReadonlySet<string>>(new Set())
  const [words, say] = useState('')
  useEffect(() => {
    const newest = waiting.findLast(({ id }) => !told.current.has(id))
    told.current = new Set(waiting.map(({ id }) => id))
    if (newest !== undefined)
      say(
        `The agent needs your approval. ${inertString(newest.tool)}: ${inertString(sentenceOf(newest, place))}`,
      )
    else if (waiting.length === 0) say('')
  }, [waiting, place])
  return words
}
