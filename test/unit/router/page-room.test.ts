import { expect } from 'chai';
import { PARTY_PAGE_BYTES, TOTAL_PAGE_BYTES } from '../../../src/router/limits.js';
import { createPageRoom } from '../../../src/router/mailbox-stream.js';

const PARTIES = TOTAL_PAGE_BYTES / PARTY_PAGE_BYTES;
const nothing = (): void => undefined;

describe('the room for pages that parties have not read', () => {
  it('is bounded for a party, which is woken when one of its pages is read', () => {
    const room = createPageRoom();
    const first = room.place('one', nothing);
    let woken = 0;
    const second = room.place('one', () => (woken += 1));
    expect(first.take(PARTY_PAGE_BYTES)).to.equal(true);
    expect(second.take(1)).to.equal(false);
    first.release();
    expect(woken).to.equal(1);
    expect(second.take(PARTY_PAGE_BYTES)).to.equal(true);
  });

  it('is bounded for all parties, of which each may have one page', () => {
    const room = createPageRoom();
    const places = Array.from({ length: PARTIES }, (_, party) => room.place(String(party), nothing));
    for (const place of places) expect(place.take(PARTY_PAGE_BYTES)).to.equal(true);
    expect(room.place('another', nothing).take(1)).to.equal(true);
    expect(room.place('another', nothing).take(1)).to.equal(false);
    places[0]?.close();
    expect(room.place('another', nothing).take(1)).to.equal(true);
  });
});
