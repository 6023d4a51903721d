/** The account that an install makes for records, and the role that it has: what advice to people names. */
export const servicesAccount = 'afloat-services';
