import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { asBuffer } from '../format/bytes.ts'
import type { Answers, FromReader, Question } from './reader-messages.ts'
import { unpack } from '../format/segment.ts'
import { noteDamage } from './needs-salvage.ts'
import { describeFailure, isCorruption } from './sqlite-failure.ts'
import type { Row } from './tables.ts'

const { folder } = workerData as { readonly folder: string }

const segmentWith = (columns: string) =>
  `select first, last, ${columns} from segment where session = ? and first <= ? order by first desc limit 1`

function openForReading() {
  const db = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true, timeout: 5000 })
  db.exec('pragma cache_size = -16000')
  return {
    db,
    session: db.prepare(
      'select no, coalesce((select max(last) from segment where session = no), 0) as packed from session where id = ?',
    ),
    sessionName: db.prepare('select id from session where no = ?'),
    name: db.prepare('select session, seq from name where name = ?'),
    segment: db.prepare(segmentWith('events, raws')),
    // The pages of the raws are then never touched.
    segmentEvents: db.prepare(segmentWith("events, x'' as raws")),
  }
}

// The thread is started before the database is ready; the first question comes when it is.
let opened: ReturnType<typeof openForReading> | undefined

function answer(question: Question): Answers[Question['type']] {
  const { db, session, sessionName, name } = (opened ??= openForReading())
  switch (question.type) {
    case 'session':
      return session.get(question.id) as Answers['session']
    case 'session-name':
      return sessionName.get(question.no)?.['id'] as string | undefined
    case 'segment': {
      const row = findSegment(question)
      if (row === undefined || row.last <= question.after) return undefined
      return unpack(row.first, { events: asBuffer(row.events), raws: asBuffer(row.raws) })
    }
    case 'name':
      return name.get(question.name) as Answers['name']
    case 'rows':
      return db.prepare(question.sql).all(...question.parameters) as Row[]
  }
}

interface SegmentRow {
  readonly first: number
  readonly last: number
  readonly events: Uint8Array
  readonly raws: Uint8Array
}

/** The segment with an entry. If a damaged page is in the way, the session's segments are walked through from the first. */
function findSegment({
  session,
  after,
  raws,
}: Extract<Question, { type: 'segment' }>): SegmentRow | undefined {
  const { db, segment, segmentEvents } = (opened ??= openForReading())
  try {
    return (raws ? segment : segmentEvents).get(session, after + 1) as SegmentRow | undefined
  } catch (error) {
    if (!isCorruption(error)) throw error
    noteDamage(folder, error)
    const walk = db.prepare('select first, last, events, raws from segment where session = ? order by first')
    for (const row of walk.iterate(session) as Iterable<unknown> as Iterable<SegmentRow>)
      if (row.last > after) return row
    throw error
  }
}

function reply(number: number, question: Question): FromReader {
  try {
    return { number, answer: answer(question) }
  } catch (error) {
    noteDamage(folder, error)
    const { code, message } = describeFailure(error, folder)
    return { number, failure: { code, message } }
  }
}

parentPort?.on(
  'message',
  ({ number, question }: { readonly number: number; readonly question: Question }) => {
    parentPort?.postMessage(reply(number, question))
  },
)
