import { restoreReadme } from './kept-readme.ts'

// npm reads the README a second time when it has packed what it publishes; then `postpublish` restores it.
const isPublishing = process.env['npm_command'] === 'publish'
if (!isPublishing || process.env['npm_lifecycle_event'] === 'postpublish') restoreReadme()
