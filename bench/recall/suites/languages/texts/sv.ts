import type { Language } from "../language.ts";

export const sv: Language = {
  code: "sv",
  everyday: {
    frame: "{who} {verb} {object} {when}.",
    who: "Astrid;Gustav;Ebba;Nils;Linnea;Björn;Karin;Oskar;Malin;Fredrik;Ulrika;Henrik",
    when: "på torsdag;i helgen;i morgon;i kväll;nästa vecka;klockan tolv;efter lunchen;på kvällarna;i eftermiddag;i april;i november;den första i månaden;klockan sju;klockan halv tio",
    deeds: [
      "skriver;läser;granskar;skickar;undertecknar|brevet;avtalet;fakturan;rapporten;beställningsblanketten;gästlistan;pressmeddelandet",
      "säljer;lagar;putsar;köper;fotograferar|cykeln;den gamla soffan;lampan;träbåten;väggklockan;bokhyllan;köksbordet",
      "träffar;besöker;intervjuar|arkitekten;borgmästaren;trädgårdsmästaren;journalisten;fotografen;skräddaren;biodlaren",
      "testar;förbättrar;förklarar|varukorgen;diagrammet;utskriftsmallen;startsidan;bildgalleriet;kontaktformuläret",
    ],
  },
  facts: `
    1 Marta är allergisk mot jordnötter och har alltid med sig en adrenalinpenna. => Vad är Marta allergisk mot? => Vad får inte finnas i maten när vi lagar till Marta?
    2 Användaren vill ha korta svar utan punktlistor. => Vilken sorts svar vill användaren ha? => Hur långa ska replikerna vara, och i vilken form?
    3 Jonas dricker sitt kaffe svart, utan socker. => Hur dricker Jonas sitt kaffe? => Tar Jonas mjölk i sina varma drycker?
    4 I redigeraren föredrar användaren ett mörkt tema med stor text. => Vilket tema föredrar användaren i redigeraren? => Hur ska utvecklingsmiljön se ut?
    5 Vår dotter älskar dinosaurier mer än något annat. => Vad älskar vår dotter mest? => Vilken present skulle göra vår lilla flicka glad?
    6 Ines har varit vegetarian i tio år. => Sedan när är Ines vegetarian? => Äter Ines kött?
    7 På flygresor bokar användaren alltid fönsterplats. => Vilken plats bokar användaren på flygresor? => Var sitter användaren helst på planet?
    8 Min mor lyssnar bara på klassisk musik, framför allt Bach. => Vilken sorts musik lyssnar min mor på? => Vilka konsertbiljetter skulle mamma bli glad för?
    9 Tomas har lett betalningsteamet sedan mars. => Vem leder betalningsteamet? => Vem är chef för dem som arbetar med faktureringen?
    10 Priya fyller år den 14 oktober. => När fyller Priya år? => Vilken dag ska vi gratulera Priya?
    11 Min granne, herr Keller, är pensionerad snickare. => Vad hade min granne herr Keller för yrke? => Vad jobbade mannen i huset intill med förr?
    12 Vår revisor går bara att nå per telefon på tisdagsförmiddagar. => När går vår revisor att nå per telefon? => När kan jag ringa den som sköter vår skatt?
    13 Sofia talar flytande portugisiska och nederländska. => Vilka språk talar Sofia? => Vem skulle kunna översätta ett brev från Lissabon åt oss?
    14 Den nya praktikanten börjar den 1 september. => När börjar den nya praktikanten? => När kommer lärlingen till oss?
    15 Vår hyresvärd bor utomlands och svarar bara på mejl. => Var bor vår hyresvärd? => Hur får jag tag på lägenhetens ägare?
    16 Min bror flyttade till Oslo förra sommaren. => Vart flyttade min bror? => I vilken stad bor min bror nu?
    17 Mobilappen måste vara klar före mässan i maj. => När måste mobilappen vara klar? => När måste vi senast leverera programmet för smarttelefoner?
    18 Kunden avvisade vår första design eftersom den var för färgglad. => Varför avvisade kunden vår första design? => Varför gillade beställaren inte det ursprungliga utkastet?
    19 Budgeten för det nya lagret är 80 000 euro. => Hur stor är budgeten för det nya lagret? => Hur mycket pengar får vi lägga på förrådsbyggnaden?
    20 Översättningen av handboken ligger två veckor efter tidsplanen. => Hur långt efter tidsplanen ligger översättningen av handboken? => Hur försenade är bruksanvisningarna på andra språk?
    21 Pilotprojektet på sjukhuset avslutades i förtid eftersom sjuksköterskorna klagade på långsamma skärmar. => Varför avslutades pilotprojektet på sjukhuset i förtid? => Varför avbröts försöket på kliniken?
    22 Kodnamnet på den omskrivna sökningen är Heron. => Vad är kodnamnet på den omskrivna sökningen? => Vad kallar vi den nya sökmotorn internt?
    23 En ny version publiceras första måndagen i varje månad. => När publiceras en ny version? => Hur ofta kommer det släpp?
    24 Väderwidgeten blir öppen källkod under MIT-licensen. => Under vilken licens släpps väderwidgeten? => På vilka juridiska villkor delar vi med oss av koden till prognoskomponenten?
    25 I stagingmiljön lyssnar Postgres på port 5433. => Vilken port använder Postgres i stagingmiljön? => Hur ansluter jag till testdatabasen?
    26 Säkerhetskopior körs varje natt klockan tre och sparas i trettio dagar. => Hur länge sparas säkerhetskopior? => Hur länge kan förlorade data återställas?
    27 Larm går till kanalen #on-call, inte ut via mejl. => Vart går larm? => Var dyker varningar om ett avbrott upp?
    28 Varje API-nyckel får göra hundra anrop i minuten. => Hur många anrop i minuten får en API-nyckel göra? => Hur ofta får en klient använda vårt gränssnitt innan den stryps?
    29 Uppladdade bilder får inte vara större än 10 megabyte. => Hur stora får uppladdade bilder vara? => Hur stor kan en fotofil vara?
    30 Produktionsservrarna står i Frankfurt. => Var står produktionsservrarna? => Var driftas vårt skarpa system?
    31 Lösenord hör hemma i valvet, aldrig i miljöfiler. => Var hör lösenord hemma? => Var ska hemligheter förvaras?
    32 Webbplatsens certifikat går ut den 30 november. => När går webbplatsens certifikat ut? => När måste vi senast förnya TLS?
    33 En session avslutas efter femton minuters inaktivitet. => Efter hur många minuters inaktivitet avslutas en session? => När loggas en overksam användare ut automatiskt?
    34 Vi valde Kafka framför RabbitMQ eftersom meddelanden måste kunna spelas upp igen. => Varför valde vi Kafka? => Vilken meddelandeförmedlare bestämde vi oss för, och av vilken anledning?
    35 Teamet beslutade att sluta stödja Internet Explorer. => Vilken webbläsare stöder teamet inte längre? => Vilken webbläsare bryr vi oss inte längre om?
    36 Priserna höjs med fem procent i januari. => Hur mycket höjs priserna i januari? => Hur mycket mer får kunderna betala nästa år?
    37 Vi anställer ingen före sommaren. => När ska vi anställa folk igen? => Finns det några lediga tjänster just nu?
    38 Alla datum lagras i UTC. => I vilken tidszon lagras datum? => Vilken tidszon använder vi när vi sparar tidsstämplar?
    39 Kontoret håller stängt mellan jul och nyår. => När är kontoret stängt? => Är någon på jobbet sista veckan i december?
    40 Varje ändring måste godkännas av två granskare. => Hur många granskare måste godkänna en ändring? => Hur många personer måste titta på en pull request innan den slås ihop?
    41 Veckoplaneringen har flyttats från måndag till onsdag klockan tio. => När äger veckoplaneringen rum? => När sätter vi oss tillsammans för att lägga upp veckan?
    42 På styrelsemötet presenterade Nadia försäljningssiffrorna. => Vem presenterade försäljningssiffrorna på styrelsemötet? => Vem talade om intäkterna inför direktörerna?
    43 Samtalet med leverantören ställdes in på grund av strejken. => Varför ställdes samtalet med leverantören in? => Varför pratade vi inte med underleverantören?
    44 Retrospektivet visade att testkörningarna tar för lång tid. => Vad visade retrospektivet? => Vad störde utvecklarna mest när de såg tillbaka på sprinten?
    45 Importskriptet kraschar om en rad innehåller ett semikolon. => När kraschar importskriptet? => Vilket tecken gör att inläsningen av data misslyckas?
    46 Vårt tåg till Wien går 7.42 från spår 9. => Hur dags går vårt tåg till Wien? => När åker vi till Österrike?
    47 I Kyoto bodde vi på ett litet värdshus vid floden. => Var bodde vi i Kyoto? => Var sov vi på vår resa till Japan?
    48 Mitt pass är giltigt till 2031. => Hur länge är mitt pass giltigt? => När måste jag senast ansöka om nya resehandlingar?
    49 Vi hyrde en husbil till semestern i Skottland. => Vad hyrde vi till semestern i Skottland? => Vad körde vi på vår tur genom högländerna?
    50 Resväskan med det trasiga hjulet står i källaren. => Var är resväskan med det trasiga hjulet? => Var är det skadade bagaget?
    51 Farfar tar en tablett mot högt blodtryck varje morgon. => Vad tar farfar varje morgon? => Vilken medicin äter farfar?
    52 Min tandläkartid är på torsdag klockan halv fem. => När är min tandläkartid? => När ska jag få tänderna undersökta?
    53 Läkaren rådde Karim att simma två gånger i veckan för ryggens skull. => Vad rådde läkaren Karim att göra? => Vilken sport bör Karim ägna sig åt mot smärtan?
    54 Sedan operationen kan moster Rosa inte längre gå i trappor. => Sedan när kan moster Rosa inte längre gå i trappor? => Varför behöver Rosa en lägenhet med hiss?
    55 Reservnyckeln ligger under den blå blomkrukan. => Var ligger reservnyckeln? => Hur kommer jag in i huset om jag har låst mig ute?
    56 Tvättmaskinen läcker under centrifugeringen. => När läcker tvättmaskinen? => Vilken hushållsapparat tappar vatten?
    57 Katten får mat bara på kvällen. => När får katten mat? => Vid vilken tid på dygnet utfodras vårt husdjur?
    58 Pappersavfall hämtas varannan fredag. => Hur ofta hämtas pappersavfall? => När ska gamla tidningar ställas ut på gatan?
    59 Funktionen som tolkar datum fallerar under skottår. => Vilka år fallerar funktionen som tolkar datum? => Vilken bugg har vi med den 29 februari?
    60 Testerna körs parallellt, så de får inte dela en tillfällig mapp. => Varför får testerna inte dela en tillfällig mapp? => Varför behöver varje testfall en egen katalog?
  `,
};
