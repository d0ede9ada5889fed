import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { asBuffer } from '../format/bytes.ts'
import type { Answers, FromReader, Question } from './reader-messages.ts'
import { unpack } from '../format/segment.ts'
import { describeFailure } from './sqlite-failure.ts'
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
  const { db, session, sessionName, name, segment, segmentEvents } = (opened ??= openForReading())
  switch (question.type) {
    case 'session':
      return session.get(question.id) as Answers['session']
    case 'session-name':
      return sessionName.get(question.no)?.['id'] as string | undefined
    case 'segment': {
      const row = (question.raws ? segment : segmentEvents).get(question.session, question.after + 1)
      if (row === undefined || Number(row['last']) <= question.after) return undefined
      const { first, events, raws } = row as { first: number; events: Uint8Array; raws: Uint8Array }
      return unpack(first, { events: asBuffer(events), raws: asBuffer(raws) })
    }
    case 'name':
      return name.get(question.name) as Answers['name']
    case 'rows':
      return db.prepare(question.sql).all(...question.parameters) as Row[]
  }
}

function reply(number: number, question: Question): FromReader {
  try {
    return { number, answer: answer(question) }
  } catch (error) {
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
