import type { Language } from "../language.ts";

export const en: Language = {
  code: "en",
  everyday: {
    frame: "{who} {verb} {object} {when}.",
    who: "Alice;Henry;Grace;Oliver;Charlotte;George;Emily;Arthur;Lucy;Edward;Hannah;Walter",
    when: "on Thursday;at the weekend;tomorrow;tonight;next week;at noon;after lunch;in the evening;this afternoon;in April;in November;on the first of the month;at seven;at half past nine",
    deeds: [
      "writes;reads;checks;sends;signs|the letter;the contract;the invoice;the report;the order form;the guest list;the press release",
      "sells;repairs;cleans;buys;photographs|the bicycle;the old sofa;the lamp;the wooden boat;the wall clock;the bookshelf;the kitchen table",
      "meets;calls;visits|the architect;the mayor;the gardener;the journalist;the photographer;the tailor;the beekeeper",
      "tests;improves;explains|the shopping basket;the chart;the print template;the home page;the picture gallery;the contact form",
    ],
  },
  facts: `
    1 Marta is allergic to peanuts and always carries an adrenaline pen. => What is Marta allergic to? => What must not be in the food when we cook for Marta?
    2 The user wants short answers without bullet points. => What kind of answers does the user want? => How long should replies be, and in what form?
    3 Jonas drinks his coffee black, without sugar. => How does Jonas drink his coffee? => Does Jonas take milk in his hot drinks?
    4 In the editor, the user prefers a dark theme with a large font. => Which theme does the user prefer in the editor? => What should the IDE look like?
    5 Our daughter loves dinosaurs more than anything else. => What does our daughter love most? => What present would make our little girl happy?
    6 Ines has been a vegetarian for ten years. => Since when has Ines been a vegetarian? => Does Ines eat meat?
    7 On flights, the user always books a window seat. => Which seat does the user book on flights? => Where does the user like to sit on a plane?
    8 My mother listens only to classical music, above all Bach. => What kind of music does my mother listen to? => Which concert tickets would please my mum?
    9 Tomas has been leading the payments team since March. => Who leads the payments team? => Who is in charge of the people who work on billing?
    10 Priya's birthday is on 14 October. => When is Priya's birthday? => On which day should we congratulate Priya?
    11 My neighbour Mr Keller is a retired carpenter. => What was my neighbour Mr Keller's job? => What did the man next door do for a living?
    12 Our accountant can be reached by phone only on Tuesday mornings. => When can our accountant be reached by phone? => When can I call the person who does our taxes?
    13 Sofia speaks fluent Portuguese and Dutch. => Which languages does Sofia speak? => Who could translate a letter from Lisbon for us?
    14 The new trainee starts on 1 September. => When does the new trainee start? => When does the apprentice join us?
    15 Our landlord lives abroad and answers only by e-mail. => Where does our landlord live? => How do I get in touch with the owner of the flat?
    16 My brother moved to Oslo last summer. => Where did my brother move to? => In which city does my brother live now?
    17 The mobile app must be finished before the trade fair in May. => When must the mobile app be finished? => By when do we have to deliver the smartphone application?
    18 The customer rejected our first design because it was too colourful. => Why did the customer reject our first design? => Why did the client not like the initial draft?
    19 The budget for the new warehouse is 80,000 euros. => How big is the budget for the new warehouse? => How much money may we spend on the storage building?
    20 The translation of the manual is two weeks behind schedule. => How far behind schedule is the translation of the manual? => How late are the user guides in other languages?
    21 The pilot at the hospital ended early because the nurses complained about slow screens. => Why did the pilot at the hospital end early? => Why was the trial in the clinic stopped?
    22 The code name for the rewrite of the search is Heron. => What is the code name for the rewrite of the search? => What do we call the new search engine internally?
    23 A new version is published on the first Monday of each month. => When is a new version published? => How often do releases come out?
    24 The weather widget will be open source under the MIT licence. => Under which licence will the weather widget be released? => On which legal terms do we give away the code of the forecast component?
    25 In the staging environment, Postgres listens on port 5433. => Which port does Postgres use in the staging environment? => How do I connect to the test database?
    26 Backups run every night at three and are kept for thirty days. => How long are backups kept? => For how long can lost data be restored?
    27 Alerts go to the #on-call channel, not out by e-mail. => Where do alerts go? => Where do warnings about an outage show up?
    28 Each API key may make a hundred requests per minute. => How many requests per minute may an API key make? => How often may a client call our interface before it is throttled?
    29 Uploaded pictures may not be larger than 10 megabytes. => How large may uploaded pictures be? => How big can a photo file be?
    30 The production servers are in Frankfurt. => Where are the production servers? => Where is our live system hosted?
    31 Passwords belong in the vault, never in environment files. => Where do passwords belong? => Where should secrets be kept?
    32 The website's certificate expires on 30 November. => When does the website's certificate expire? => By when must we renew TLS?
    33 A session ends after fifteen minutes of inactivity. => After how many minutes of inactivity does a session end? => When is an idle user signed out automatically?
    34 We chose Kafka over RabbitMQ because messages must be replayable. => Why did we choose Kafka? => Which message broker did we pick, and for what reason?
    35 The team decided to drop support for Internet Explorer. => Which browser does the team no longer support? => Which browser do we no longer care about?
    36 Prices go up by five per cent in January. => By how much do prices go up in January? => How much more will customers pay next year?
    37 We are not hiring anybody before the summer. => When are we going to hire people again? => Are there any open positions at the moment?
    38 All dates are stored in UTC. => In which time zone are dates stored? => Which time zone do we use when saving timestamps?
    39 The office stays closed between Christmas and New Year. => When is the office closed? => Is anybody at work in the last week of December?
    40 Every change needs the approval of two reviewers. => How many reviewers have to approve a change? => How many people have to look at a pull request before it is merged?
    41 The weekly planning has moved from Monday to Wednesday at ten. => When does the weekly planning take place? => When do we sit together to plan the week?
    42 At the board meeting, Nadia presented the sales figures. => Who presented the sales figures at the board meeting? => Who spoke about revenue in front of the directors?
    43 The call with the supplier was cancelled because of the strike. => Why was the call with the supplier cancelled? => Why did we not speak to the vendor?
    44 The retrospective showed that the test runs take too long. => What did the retrospective show? => What bothered the developers most when they looked back on the sprint?
    45 The import script crashes if a line contains a semicolon. => When does the import script crash? => Which character makes loading the data fail?
    46 Our train to Vienna leaves at 7:42 from platform 9. => What time does our train to Vienna leave? => When do we depart for Austria?
    47 In Kyoto we stayed at a small inn by the river. => Where did we stay in Kyoto? => Where did we sleep on our trip to Japan?
    48 My passport is valid until 2031. => Until when is my passport valid? => By when do I have to apply for new travel documents?
    49 We rented a camper van for our holiday in Scotland. => What did we rent for our holiday in Scotland? => What did we drive on our tour of the Highlands?
    50 The suitcase with the broken wheel is in the basement. => Where is the suitcase with the broken wheel? => Where is the damaged luggage?
    51 Grandfather takes a pill for his blood pressure every morning. => What does Grandfather take every morning? => What medication is Grandpa on?
    52 My dentist appointment is on Thursday at half past four. => When is my dentist appointment? => When am I having my teeth checked?
    53 The doctor advised Karim to swim twice a week for his back. => What did the doctor advise Karim to do? => Which sport should Karim do against the pain?
    54 Since her operation, Aunt Rosa can no longer climb stairs. => Since when can Aunt Rosa no longer climb stairs? => Why does Rosa need a flat with a lift?
    55 The spare key is under the blue flowerpot. => Where is the spare key? => How do I get into the house if I have locked myself out?
    56 The washing machine leaks during the spin cycle. => When does the washing machine leak? => Which household appliance is losing water?
    57 The cat is fed only in the evening. => When is the cat fed? => At what time of day does our pet get something to eat?
    58 Waste paper is collected every second Friday. => How often is waste paper collected? => When do old newspapers have to be put out on the street?
    59 The function that parses dates fails in leap years. => In which years does the function that parses dates fail? => Which bug do we have with 29 February?
    60 The tests run in parallel, so they must not share a temporary folder. => Why must the tests not share a temporary folder? => Why does each test case need a directory of its own?
  `,
};
