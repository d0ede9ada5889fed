// Stores the key of this browser where only pages of this address, port included, can read it, and opens the app.
// The app sends it with each call: src/sign-in/browser-key.ts.
try {
  localStorage.setItem('dragoman:key', document.querySelector('meta[name=dragoman-key]').content)
  location.replace('/')
} catch {
  document.querySelector('#trouble').textContent =
    'This browser blocks site data, so it cannot stay signed in. Allow site data for this address, then run "dragoman open" again.'
}
