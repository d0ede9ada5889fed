import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { isDragomanError } from '../../protocol/error.ts'
import { gone } from './health.ts'
import { noteDamage } from './needs-salvage.ts'
import { openWriter, type Writer } from './open-writer.ts'
import type { FromWriter, ToWriter, WriterOptions } from './writer-messages.ts'

// The writer's thread. It starts before the database is ready, and opens it on request.
let writer: Writer | undefined

parentPort?.on('message', (message: ToWriter) => {
  switch (message.type) {
    case 'open':
      writer = open(message.options)
      return
    case 'commit':
      writer?.commit(message)
      return
    case 'rest':
      writer?.rest(message.sessions)
      return
    case 'close':
      writer?.close()
      parentPort?.close()
      return
  }
})

const tell = (message: FromWriter) => parentPort?.postMessage(message)

/**
 * Opens the writer. Any failure ends the thread. A known reason is sent as a message; the thread must not throw then,
 * because its error could overtake the message.
 */
function open(options: WriterOptions): Writer | undefined {
  try {
    return openWriter(options, tell)
  } catch (error) {
    const { folder } = options
    noteDamage(folder, error)
    const reason = existsSync(join(folder, 'journal.db')) ? error : gone(folder)
    if (!isDragomanError(reason)) throw error
    tell({ type: 'health', failure: { code: reason.code, message: reason.message } })
    parentPort?.close()
    return undefined
  }
}
