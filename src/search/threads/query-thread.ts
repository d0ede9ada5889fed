import { workerData } from 'node:worker_threads'
import type { Entry } from '../../protocol/entry.ts'
import { createMatcher } from '../match/match-text.ts'
import { readPart } from '../parts/read-part.ts'
import { findParts } from '../sqlite/find-parts.ts'
import { inodeOf, isDamage, openIndexToRead, type OpenIndex } from '../sqlite/open-index.ts'
import { answerCalls } from './answer-calls.ts'
import type { QueryCalls } from './messages.ts'

// Reads the index and compares texts. It can be ended at any time: a regular expression may never end.
const { path } = workerData as { readonly path: string }
let index: OpenIndex | null = null

/** The index may have been made again since. */
function openNow(): OpenIndex | null {
  if (index !== null && inodeOf(path) === index.inode) return index
  close()
  index = openIndexToRead(path)
  return index
}

function close(): void {
  index?.db.close()
  index = null
}

answerCalls<QueryCalls>({
  async find(query) {
    try {
      const opened = openNow()
      return opened === null ? 'missing' : findParts(opened.db, query)
    } catch (error) {
      close()
      if (isDamage(error)) return 'damaged'
      throw error
    }
  },
  async match({ terms, parts }) {
    const matcher = createMatcher({ terms })
    return parts.map(({ found, texts }) =>
      matcher.match(
        readPart(
          found,
          texts.map(text => JSON.parse(text) as Entry),
        ),
      ),
    )
  },
})
