/** A page asks its own server for the token of its user; here it is in the address. */
export const token = () => new URLSearchParams(location.search).get('token');
