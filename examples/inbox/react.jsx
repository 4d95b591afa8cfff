import 'dbr-inbox';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { token } from './token.js';

function Inbox() {
  const inbox = useRef(null);
  const [unread, setUnread] = useState(null);
  useEffect(() => {
    const element = inbox.current;
    const changed = () => setUnread(element.state?.unread ?? null);
    element.addEventListener('dbr-inbox-change', changed);
    element.token = token;
    return () => element.removeEventListener('dbr-inbox-change', changed);
  }, []);
  return (
    <>
      <p>Unread: {unread}</p>
      <dbr-inbox ref={inbox} embedded="" />
    </>
  );
}

createRoot(document.querySelector('#app')).render(<Inbox />);
